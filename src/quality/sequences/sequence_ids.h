// SequenceIds: counts the ids of all sequences of a set and finds their faults.
#pragma once

#include <unordered_map>

#include "quality/doctor/doctor.h"

namespace bertprep {

// EndIds: the ids at one end of rows.
class EndIds {
 public:
  struct Met {
    std::uint64_t rows = 0;
    std::uint64_t doubled = 0;  // rows with the same id next to it
    FindingPlace place{};       // the first one
    FindingPlace doubled_place{};
  };

  void add(std::int64_t id, bool is_doubled, const FindingPlace& place);
  std::uint64_t rows() const { return rows_; }
  Met met(std::int64_t id) const;
  // The most frequent id and its rows; of equally frequent ones the smallest. -1 without rows.
  std::pair<std::int64_t, std::uint64_t> most() const;
  // The first row with another id.
  FindingPlace first_without(std::int64_t id) const;

 private:
  std::unordered_map<std::int64_t, Met> by_id_;
  std::uint64_t rows_ = 0;
};

class SequenceIds {
 public:
  // With the tokenizer of the model, else that beside the set in `folder`. `findings` must outlive it.
  SequenceIds(const DoctorOptions& options, const std::filesystem::path& folder, Findings& findings);

  // Add rows in order.
  void add(const FindingPlace& place, std::span<const std::int64_t> ids);
  // `type`: the stored type of ids, "uint16".
  void finish(const std::string& type);
  // Checks the ids with which rows begin and end, and whether they are [CLS] and [SEP]. `is_requested`: the user named
  // a reader that expects them, so missing ones are also a fault.
  void find_boundary_traps(bool is_requested) const;

  std::uint64_t tokens() const { return tokens_; }
  std::uint64_t occurrences(std::int64_t id) const {
    return id >= 0 && static_cast<std::size_t>(id) < counts_.size() ? counts_[static_cast<std::size_t>(id)] : 0;
  }
  const SpecialIds& specials() const { return tokenizer_.specials; }
  // Of the rows with two ids or more.
  const EndIds& first() const { return first_; }
  const EndIds& last() const { return last_; }

 private:
  static constexpr std::int64_t kMaxIds = std::int64_t{1} << 22U;

  std::optional<std::int64_t> boundary(const EndIds& ends, std::optional<TokenId> known) const;
  void report_boundary(const EndIds& ends, std::int64_t id, bool is_known) const;

  SetTokenizer tokenizer_;
  std::int64_t pieces_;  // of the model, else of the tokenizer; 0: unknown
  Findings& findings_;
  std::uint64_t tokens_ = 0;
  std::int64_t largest_ = -1;
  std::vector<std::uint64_t> counts_;  // by id
  EndIds first_;
  EndIds last_;
  std::uint64_t alone_ = 0;  // rows with one id
};

}  // namespace bertprep
