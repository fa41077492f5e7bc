#include "source/input/line_marks.h"

#include <algorithm>

namespace bertprep {
namespace {

constexpr std::uint64_t kInterval = std::uint64_t{1} << 20U;

}  // namespace

void LineMarks::begin_file(const std::filesystem::path& file) {
  marks_ = &files_[file];
  marks_->clear();
  lines_ = 0;
}

void LineMarks::see(std::uint64_t begin, std::string_view bytes) {
  while (!bytes.empty()) {
    const std::uint64_t next_mark = (marks_->size() + 1) * kInterval;
    const std::string_view part = bytes.substr(0, static_cast<std::size_t>(next_mark - begin));
    lines_ += static_cast<std::uint64_t>(std::count(part.begin(), part.end(), '\n'));
    begin += part.size();
    bytes.remove_prefix(part.size());
    if (begin == next_mark) marks_->push_back(lines_);
  }
}

LineMarks::Mark LineMarks::before(const std::filesystem::path& file, std::uint64_t byte) const {
  const auto found = files_.find(file);
  const std::uint64_t marks = found == files_.end() ? 0 : found->second.size();
  const std::uint64_t last = std::min(byte / kInterval, marks);
  if (last == 0) return {};
  return {last * kInterval, found->second[static_cast<std::size_t>(last - 1)]};
}

}  // namespace bertprep
