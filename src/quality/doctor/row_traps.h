// RowTraps: finds faults of single rows, and what their ids show about the vocabulary.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quality/doctor/findings.h"
#include "quality/row_view.h"

namespace bertprep {

struct RowLimits {
  RowKind kind = RowKind::kBert;
  std::uint64_t max_predictions = 0;  // of the trainer; 0: unknown
  std::int64_t model_pieces = 0;      // vocab_size of the model; 0: unknown
  std::int64_t data_pieces = 0;       // of the vocabulary that made the rows; 0: unknown
};

class RowTraps {
 public:
  // `findings` must outlive it.
  RowTraps(const RowLimits& limits, Findings& findings) : limits_(limits), findings_(findings) {}

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

  std::int64_t pieces_limit() const;
  void check_mask(const FindingPlace& place, const RowView& row);
  void check_ids(const FindingPlace& place, const char* column, std::span<const std::int64_t> ids);
  void count_id(const FindingPlace& place, const char* column, std::int64_t id);
  void check_padding(const FindingPlace& place, const RowView& row);
  void check_segments(const FindingPlace& place, const RowView& row);
  void check_positions(const FindingPlace& place, const RowView& row);
  void check_behind_positions(const FindingPlace& place, const RowView& row, std::size_t count);
  bool are_valid(const RowView& row, std::size_t count) const;
  void check_predictions(const FindingPlace& place, const RowView& row, std::size_t count);
  void check_labels(const FindingPlace& place, const RowView& row);
  void finish_predictions();
  void finish_padding();
  void finish_vocabulary();

  RowLimits limits_;
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

}  // namespace bertprep
