// SequenceIds: counts the ids of all sequences of a set and finds their faults.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bertprep/token/vocab.h"
#include "quality/doctor/findings.h"

namespace bertprep {

class SequenceIds {
 public:
  // `pieces`: of the model, else of the tokenizer; 0: unknown. `findings` must outlive it.
  SequenceIds(std::int64_t pieces, Findings& findings) : pieces_(pieces), findings_(findings) {}

  void add(const FindingPlace& place, std::span<const std::int64_t> ids);
  // `type`: the stored type of ids, "uint16".
  void finish(const std::string& type);

  // Whether hardly any id is one of a byte-level tokenizer's `line_breaks`.
  void find_rare_breaks(std::span<const TokenId> line_breaks) const;

  std::uint64_t tokens() const { return tokens_; }
  std::uint64_t occurrences(std::int64_t id) const {
    return id >= 0 && static_cast<std::size_t>(id) < counts_.size() ? counts_[static_cast<std::size_t>(id)] : 0;
  }

 private:
  static constexpr std::int64_t kMaxIds = std::int64_t{1} << 22U;

  std::int64_t pieces_;
  Findings& findings_;
  std::uint64_t tokens_ = 0;
  std::int64_t largest_ = -1;
  std::vector<std::uint64_t> counts_;  // by id
};

// Widens and appends little-endian integers of a file. Unsigned ones of 2^63 or more become negative.
void append_numbers(std::string_view bytes, unsigned width, bool is_signed, std::vector<std::int64_t>& numbers);

}  // namespace bertprep
