// SequenceIds: the ids of all sequences of a set, counted, and what is wrong with them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "quality/doctor/findings.h"

namespace bertprep {

class SequenceIds {
 public:
  // `pieces`: of the model, else of the tokenizer; 0: not known. `findings` must outlive it.
  SequenceIds(std::int64_t pieces, Findings& findings) : pieces_(pieces), findings_(findings) {}

  void add(const FindingPlace& place, std::span<const std::int64_t> ids);
  // `type`: how ids are stored, "uint16".
  void finish(const std::string& type);

  std::uint64_t tokens() const { return tokens_; }
  std::uint64_t occurrences(std::int64_t id) const {
    return id >= 0 && static_cast<std::size_t>(id) < counts_.size() ? counts_[static_cast<std::size_t>(id)] : 0;
  }

 private:
  static constexpr std::int64_t kMostIds = std::int64_t{1} << 22U;

  std::int64_t pieces_;
  Findings& findings_;
  std::uint64_t tokens_ = 0;
  std::int64_t largest_ = -1;
  std::vector<std::uint64_t> counts_;  // by id
};

// Appends whole numbers as they lie in a file, little-endian, widened. Those of eight bytes above 2^63 are negative.
void append_numbers(std::string_view bytes, unsigned width, bool is_signed, std::vector<std::int64_t>& numbers);

}  // namespace bertprep
