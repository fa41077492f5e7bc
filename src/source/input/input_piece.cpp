#include "source/input/input_piece.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// A piece this many times smaller than requested is not worth a task.
constexpr std::uint64_t kTiny = 8;

std::uint64_t bytes_of(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return 0;  // a pipe
  const std::uint64_t bytes = fs::file_size(file, error);
  if (error) throw IoError::from_errno("can't be examined", file, error.value());
  return bytes;
}

constexpr std::uint64_t kInterval = std::uint64_t{1} << 20U;

class Groups {
 public:
  Groups(std::size_t input, std::uint64_t piece_bytes, std::vector<InputPiece>& pieces)
      : input_(input), piece_bytes_(std::max<std::uint64_t>(piece_bytes, 1)), pieces_(pieces) {}

  void add(const fs::path& file, const SplitFile& split) {
    const std::uint64_t bytes = bytes_of(file);
    const std::uint64_t count = bytes / piece_bytes_ + (bytes % piece_bytes_ * 2 >= piece_bytes_ ? 1 : 0);
    const std::vector<SplitPoint> points = count > 1 ? split(file, bytes, count) : std::vector<SplitPoint>();
    if (!points.empty()) {
      finish();
      add_ranges(file, bytes, points);
      return;
    }
    if (group_.bytes + bytes > piece_bytes_) finish();
    group_.files.push_back(file);
    group_.bytes += bytes;
  }

  void finish() {
    if (group_.files.empty()) return;
    group_.input = input_;
    pieces_.push_back(std::exchange(group_, {}));
  }

  // After the last file of the input.
  void finish_input() {
    InputPiece* const before = pieces_.empty() ? nullptr : &pieces_.back();
    const bool is_tiny = group_.bytes < piece_bytes_ / kTiny;
    if (!is_tiny || before == nullptr || before->input != input_ || before->is_range()) return finish();
    before->files.insert(before->files.end(), group_.files.begin(), group_.files.end());
    before->bytes += group_.bytes;
    group_ = {};
  }

 private:
  void add_ranges(const fs::path& file, std::uint64_t file_bytes, const std::vector<SplitPoint>& points) {
    SplitPoint begin;
    for (std::size_t i = 0; i <= points.size(); ++i) {
      const SplitPoint end = i < points.size() ? points[i] : SplitPoint{file_bytes, 0};
      pieces_.push_back({input_, {file}, begin.byte, end.byte, begin.line, end.byte - begin.byte});
      begin = end;
    }
  }

  std::size_t input_;
  std::uint64_t piece_bytes_;
  std::vector<InputPiece>& pieces_;
  InputPiece group_;
};

}  // namespace

std::uint64_t even_split(std::uint64_t file_bytes, std::uint64_t i, std::uint64_t pieces) {
  return file_bytes / pieces * i + file_bytes % pieces * i / pieces;
}

void EvenSplit::offer(SplitPoint record) {
  if (is_done() || record.byte < even_split(file_bytes_, next_, pieces_)) return;
  points_.push_back(record);
  while (!is_done() && even_split(file_bytes_, next_, pieces_) <= record.byte) ++next_;
}

std::vector<InputPiece> group_files(std::span<const Input> inputs, std::uint64_t piece_bytes, const SplitFile& split) {
  std::vector<InputPiece> pieces;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Groups groups(i, piece_bytes, pieces);
    for (const fs::path& file : inputs[i].files) groups.add(file, split);
    groups.finish_input();
  }
  return pieces;
}

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
