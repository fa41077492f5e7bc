// LabelTraps: checks the statistics of next-sentence labels.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "quality/doctor/findings.h"
#include "quality/row_view.h"

namespace bertprep {

class LabelTraps {
 public:
  // `findings` must outlive it.
  explicit LabelTraps(Findings& findings) : findings_(findings) {}

  // Add rows file by file.
  void add(const std::string& file, const RowView& row);
  // `documents`: the number of documents in each file, if known.
  void finish(const std::map<std::string, std::uint64_t>& documents);

 private:
  struct Share {
    std::uint64_t rows = 0;
    std::uint64_t random = 0;  // label 1

    double value() const { return rows == 0 ? 0.5 : static_cast<double>(random) / static_cast<double>(rows); }
    // The number of standard deviations from one half.
    double deviations() const;
  };
  // How much the two segments of a row have in common.
  struct Likeness {
    double rows = 0;
    double sum = 0;
    double squares = 0;

    double mean() const { return rows == 0 ? 0 : sum / rows; }
    double variance_of_mean() const;
  };

  // Weights of the words of the second segment.
  struct Shared {
    double shared = 0;  // that are also in the first
    double all = 0;
  };
  struct Word {
    std::uint32_t rows = 0;  // with it
    std::uint32_t mark = 0;  // number of the last segment with it
  };

  void add_likeness(const RowView& row);
  // Whether `id` is counted.
  bool make_room(std::int64_t id);
  void mark_first(std::int64_t id);
  void weigh_second(std::int64_t id, Shared& shared);
  void note(std::int64_t label, const Shared& shared);
  void finish_shares();
  void finish_likeness();

  Findings& findings_;
  Share all_;
  std::vector<std::pair<std::string, Share>> files_;
  Likeness likeness_[2];       // by label
  std::vector<Word> words_;    // by id
  std::uint32_t segment_ = 0;  // number of a segment: two per row
  std::uint64_t likened_ = 0;  // number of rows so far
};

}  // namespace bertprep
