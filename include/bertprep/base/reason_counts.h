// ReasonCounts: how many records were left out, for each reason.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace bertprep {

// What of a reason is counted: "broken JSON" of "broken JSON: a string is not closed". What stands behind ": ", " at
// byte " or " (" is told of the record alone.
std::string_view kind_of_reason(std::string_view reason);

class ReasonCounts {
 public:
  // At most so many kinds are told apart; what comes later counts as kOther.
  static constexpr std::size_t kMostKinds = 50;
  static constexpr const char* kOther = "other reasons";

  // Counts the kind of the reason; gives how often it was counted by now.
  std::uint64_t add(std::string_view reason, std::uint64_t times = 1);
  void add(const ReasonCounts& more);

  std::uint64_t total() const;
  bool is_empty() const { return counts_.empty(); }
  // Ordered by the bytes of the reasons, so that it is the same whatever came first.
  const std::map<std::string, std::uint64_t, std::less<>>& by_reason() const { return counts_; }
  // "12 no field \"text\", 1 broken JSON": the most frequent first.
  std::string text() const;

  bool operator==(const ReasonCounts&) const = default;

 private:
  std::map<std::string, std::uint64_t, std::less<>> counts_;
};

}  // namespace bertprep
