#include "bertprep/base/progress.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/number_text.h"

namespace bertprep {

void Progress::expect(std::span<const ExpectedSpan>) {}
void Progress::begin(std::string_view, std::uint64_t, std::string_view) {}
void Progress::advance(std::uint64_t) {}
void Progress::skipped(const SkippedRecord&) {}
void Progress::remarked(const RecordRemark&) {}
void Progress::note(std::string_view) {}
void Progress::end() {}
bool Progress::cancelled() const {
  return false;
}
std::optional<RunShare> Progress::run_share() const {
  return std::nullopt;
}

std::string_view kind_of_reason(std::string_view reason) {
  return reason.substr(0, std::min({reason.find(": "), reason.find(" at byte "), reason.find(" (")}));
}

std::uint64_t ReasonCounts::add(std::string_view reason, std::uint64_t times) {
  if (times == 0) return 0;
  const std::string_view kind = kind_of_reason(reason);
  const auto found = counts_.find(kind);
  if (found != counts_.end()) return found->second += times;
  return counts_[counts_.size() < kMaxKinds ? std::string(kind) : kOther] += times;
}

void ReasonCounts::add(const ReasonCounts& more) {
  for (const auto& [reason, times] : more.counts_) add(reason, times);
}

std::uint64_t ReasonCounts::total() const {
  std::uint64_t sum = 0;
  for (const auto& [reason, times] : counts_) sum += times;
  return sum;
}

namespace {

// Reasons that are countable things; others are sentences or say what is missing.
constexpr std::array<std::string_view, 2> kThings = {"redirect", "disambiguation page"};

std::string counted_reason(std::uint64_t times, const std::string& reason) {
  if (std::ranges::find(kThings, reason) != kThings.end()) return counted(times, reason);
  if (reason == ReasonCounts::kOther) return counted(times, reason.substr(0, reason.size() - 1));
  return grouped(times) + " " + reason;
}

}  // namespace

std::string ReasonCounts::text() const {
  std::vector<std::pair<std::string, std::uint64_t>> ordered(counts_.begin(), counts_.end());
  std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return joined(ordered, ", ", [](const auto& count) { return counted_reason(count.second, count.first); });
}

}  // namespace bertprep
