#include "bertprep/base/progress.h"

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

}  // namespace bertprep
