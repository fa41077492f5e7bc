// Traps of the content of rows: RowTraps, LabelTraps.
#pragma once

#include "quality/doctor/doctor.h"

namespace bertprep {

// RowTraps: finds faults of single rows, and what their ids show about the vocabulary.
class RowTraps {
 public:
  // `data_pieces`: of the vocabulary that made the rows; 0: unknown. `findings` must outlive it.
  RowTraps(RowKind kind, const DoctorOptions& options, std::int64_t data_pieces, Findings& findings)
      : kind_(kind),
        max_predictions_allowed_(options.max_predictions),
        model_pieces_(options.model_pieces),
        data_pieces_(data_pieces),
        findings_(findings) {}

  // Add rows in order, file by file.
  void add(const std::string& file, std::uint64_t number, const RowView& row);
  // Reports what only all rows together show.
  void finish();

 private:
  // A possible trap, which only all rows together confirm.
  struct Suspicion {
    std::uint64_t rows = 0;
    FindingPlace first{};
    std::string what{};

    void add(const FindingPlace& place, const std::string& text);
  };
  struct Counts {
    std::uint64_t rows = 0;
    std::uint64_t tokens = 0;
    std::uint64_t predictions = 0;
    std::uint64_t visible = 0;  // predictions whose token is visible in the row
  };

  std::int64_t pieces_limit() const { return model_pieces_ != 0 ? model_pieces_ : data_pieces_; }
  // Of the current row.
  void tell(Trap trap, const std::string& what) { findings_.add(trap, place_, what); }
  void check_mask(const RowView& row);
  void check_ids(const char* column, std::span<const std::int64_t> ids);
  void count_id(const char* column, std::int64_t id);
  void check_padding(const RowView& row);
  void check_segments(const RowView& row);
  void check_positions(const RowView& row);
  void check_behind_positions(const RowView& row, std::size_t count);
  bool are_valid(const RowView& row, std::size_t count) const;
  void check_predictions(const RowView& row, std::size_t count);
  void check_labels(const RowView& row);
  void finish_predictions();
  void finish_padding();
  void finish_vocabulary();

  RowKind kind_;
  std::uint64_t max_predictions_allowed_;  // by the trainer; 0: unknown
  std::int64_t model_pieces_;              // 0: unknown
  std::int64_t data_pieces_;               // likewise
  Findings& findings_;
  FindingPlace place_;      // of the current row
  std::size_t length_ = 0;  // likewise: ones at the front of its mask
  Counts counts_;
  std::size_t max_predictions_ = 0;  // room for predictions in a row
  std::int64_t largest_ = -1;
  std::vector<bool> is_used_;        // by id, of those beyond the usual vocabulary
  std::uint64_t large_ids_ = 0;      // distinct ids beyond the usual vocabulary
  std::optional<std::int64_t> pad_;  // the value of all padding so far, if it is one id
  std::uint64_t padded_rows_ = 0;    // padded with that id
  bool pad_varies_ = false;
  Suspicion padding_;
  Suspicion without_predictions_;
  Suspicion beyond_usual_;
};

// LabelTraps: checks the statistics of next-sentence labels.
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
