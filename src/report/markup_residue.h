// MarkupResidue: finds apparent markup in rows: brackets of links, braces of templates, tags of references.
// Well-extracted text of a wiki has none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bertprep/token/vocab.h"
#include "quality/row_view.h"

namespace bertprep {

struct ResidueSample {
  std::string file;
  std::uint64_t row = 0;
  std::string text;  // with some pieces on both sides
};

struct ResidueKind {
  std::string name;               // "[[", as in the text
  std::vector<std::int64_t> ids;  // of its pieces
  std::uint64_t rows = 0;         // with it
  std::vector<ResidueSample> samples;
};

class MarkupResidue {
 public:
  static constexpr std::size_t kMaxSamples = 3;  // per kind

  // `vocab` must live as long as rows are added. Kinds whose pieces it lacks are not searched for.
  explicit MarkupResidue(const Vocab& vocab);

  // The following rows are from this file.
  void begin_file(std::string file);
  // Checks every row of a small set, and one in 16 beyond that.
  void add(const RowView& row);

  std::uint64_t rows() const { return looked_at_; }
  const std::vector<ResidueKind>& kinds() const { return kinds_; }

 private:
  void take(ResidueKind& kind, const RowView& row, std::size_t at);
  std::string around(const RowView& row, std::size_t at) const;

  const Vocab* vocab_;
  std::vector<ResidueKind> kinds_;
  std::vector<bool> begins_;  // kinds, by id
  std::string file_;
  std::uint64_t row_ = 0;  // in the file
  std::uint64_t seen_ = 0;
  std::uint64_t looked_at_ = 0;
};

}  // namespace bertprep
