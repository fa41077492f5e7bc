// What a report counts in one pass over the rows of a set: figures, and markup left in the text.
#pragma once

#include "bertprep/token/vocab.h"
#include "quality/row_view.h"

namespace bertprep {

struct FileFigures {
  std::string name;
  bool is_for_test = false;
  std::uint64_t bytes = 0;  // on disk
  std::uint64_t rows = 0;
  std::uint64_t random_next = 0;  // label 1
};

// Replacements of the tokens to predict.
struct ReplacementFigures {
  std::uint64_t by_mask = 0;
  std::uint64_t by_same = 0;
  std::uint64_t by_other = 0;
};

// RowFigures: numbers of tokens, predictions and labels, and how often each id occurs.
class RowFigures {
 public:
  // The following rows are from this file.
  void begin_file(FileFigures file) { files_.push_back(std::move(file)); }
  void add(const RowView& row);

  const std::vector<FileFigures>& files() const { return files_; }
  std::uint64_t rows() const { return rows_; }
  std::uint64_t tokens() const { return tokens_; }  // without padding
  std::uint64_t places() const { return places_; }  // with padding
  std::uint64_t predictions() const { return predictions_; }
  std::uint64_t labelled() const { return labelled_; }  // rows with a label for the next sentence
  std::uint64_t random_next() const;
  std::uint64_t in_second_segment() const { return in_second_segment_; }  // tokens
  std::size_t row_length() const { return lengths_.empty() ? 0 : lengths_.size() - 1; }
  std::size_t max_predictions() const { return masks_.empty() ? 0 : masks_.size() - 1; }

  // Rows by number of tokens, and by number of predictions.
  const std::vector<std::uint64_t>& lengths() const { return lengths_; }
  const std::vector<std::uint64_t>& masks() const { return masks_; }
  // How often a token occurs in the original text, by id, including replaced ones.
  std::vector<std::uint64_t> by_id() const;
  // The most frequent replacement; nothing if it makes up less than half of them.
  std::optional<std::int64_t> likely_mask() const;
  ReplacementFigures replacements(std::optional<std::int64_t> mask) const;

 private:
  std::size_t add_predictions(const RowView& row);
  void count_valid(const RowView& row, std::size_t count);
  bool are_valid(const RowView& row, std::size_t count) const;
  void add_prediction(const RowView& row, std::int64_t position, std::int64_t original);
  void count_ids(std::span<const std::int64_t> ids);
  void count_id(std::int64_t id);

  std::vector<FileFigures> files_;
  std::uint64_t rows_ = 0;
  std::uint64_t tokens_ = 0;
  std::uint64_t places_ = 0;
  std::uint64_t predictions_ = 0;
  std::uint64_t labelled_ = 0;
  std::uint64_t in_second_segment_ = 0;
  std::vector<std::uint64_t> lengths_;
  std::vector<std::uint64_t> masks_;
  std::vector<std::uint64_t> occurrences_;   // how often an id occurs in rows or is to be predicted, by id
  std::vector<std::uint64_t> replacements_;  // how often an id replaces another
  std::size_t usual_ = 0;                    // the replacement in the previous row
  std::uint64_t same_ = 0;
};

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

// MarkupResidue: finds apparent markup in rows: brackets of links, braces of templates, tags of references.
// Well-extracted text of a wiki has none.
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
