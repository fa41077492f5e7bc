#include "wiki/dump/dump_lines.h"

#include <algorithm>
#include <utility>

#include "wiki/dump/dump_tag.h"

namespace bertprep {
namespace {

// Kept at both ends of a line that is too long: enough for the tags.
constexpr std::size_t kKeptEnd = std::size_t{1} << 20U;

}  // namespace

DumpLines::Found DumpLines::next(std::string_view& line, PageText* text) {
  is_truncated_ = false;
  for (;;) {
    if (find(line, text)) return Found::kLine;
    if (!block_.empty()) continue;
    const Loaded loaded = is_at_end_ ? Loaded::kEnd : load();
    if (loaded == Loaded::kBlock) continue;
    const bool has_rest = std::exchange(has_started_, false);
    if (loaded == Loaded::kGap) return Found::kGap;
    is_at_end_ = true;
    if (!has_rest || of_tags_) return Found::kEnd;
    // The last line of the file, without LF.
    line = started_;
    if (line.find('<') != std::string_view::npos) return Found::kLine;
    keep(line, text);
  }
}

// False: the current block has no end of a line or tag.
bool DumpLines::find(std::string_view& line, PageText* text) {
  if (of_tags_) return has_started_ ? finish_started_tag(line) : find_tag_in_block(line, text);
  return has_started_ ? finish_started_line(line, text) : find_in_block(line, text);
}

// Consumes the block up to the end of its next tag, or all of it if no tag ends in it.
bool DumpLines::find_tag_in_block(std::string_view& tag, PageText* text) {
  const std::size_t begin = std::min(block_.find('<'), block_.size());
  if (text != nullptr && begin != 0) text->append(block_.substr(0, begin));
  line_byte_ = byte_in_block(begin);
  block_.remove_prefix(begin);
  if (block_.size() > 1 && !begins_markup(block_[1])) {
    tag = block_.substr(0, 1);
    block_.remove_prefix(1);
    return true;
  }
  for (std::size_t end = block_.find('>'); end != std::string_view::npos; end = block_.find('>', end + 1)) {
    tag = block_.substr(0, end + 1);
    if (!is_whole_tag(tag)) continue;
    block_.remove_prefix(tag.size());
    return true;
  }
  if (!block_.empty()) start_line(std::exchange(block_, {}));
  return false;
}

bool DumpLines::finish_started_tag(std::string_view& tag) {
  if (started_.size() == 1 && !block_.empty() && !begins_markup(block_.front())) {
    tag = started_;
    has_started_ = false;
    return true;
  }
  const bool has_end = continue_to('>');
  tag = started_;
  if (!has_end || !is_whole_tag(tag)) return false;
  has_started_ = false;
  return true;
}

void DumpLines::keep(std::string_view line, PageText* text) const {
  if (text == nullptr) return;
  if (is_truncated_) {
    text->give_up();
  } else {
    text->append(line);
  }
}

// Finds the next line in the current block; consumes the block if there is none.
bool DumpLines::find_in_block(std::string_view& line, PageText* text) {
  const std::size_t tag = block_.find('<');
  const std::size_t before = tag == std::string_view::npos ? block_.size() : tag;
  const std::size_t begin = block_.substr(0, before).rfind('\n') + 1;  // npos + 1 is 0
  if (text != nullptr && begin != 0) text->append(block_.substr(0, begin));
  const std::size_t end = tag == std::string_view::npos ? tag : block_.find('\n', tag);
  line_byte_ = byte_in_block(begin);
  if (end == std::string_view::npos) {
    if (begin < block_.size()) start_line(block_.substr(begin));
    block_ = {};
    return false;
  }
  line = block_.substr(begin, end + 1 - begin);
  block_.remove_prefix(end + 1);
  return true;
}

bool DumpLines::finish_started_line(std::string_view& line, PageText* text) {
  if (!continue_to('\n')) return false;
  has_started_ = false;
  line = started_;
  if (line.find('<') != std::string_view::npos) return true;
  keep(line, text);
  is_truncated_ = false;
  return false;
}

void DumpLines::start_line(std::string_view part) {
  started_.assign(part);
  has_started_ = true;
}

// Takes the block up to the first `end`. False: there is none yet.
bool DumpLines::continue_to(char end) {
  const std::string_view part = block_.substr(0, std::min(block_.find(end), block_.size() - 1) + 1);
  block_.remove_prefix(part.size());
  started_ += part;
  if (started_.size() > PageText::kMaxBytes) {
    is_truncated_ = true;
    started_.erase(kKeptEnd, started_.size() - 2 * kKeptEnd);
  }
  return started_.ends_with(end);
}

DumpLines::Loaded DumpLines::load() {
  if (!std::exchange(is_gap_open_, false)) {
    block_byte_ += std::exchange(raw_bytes_, 0);
    const std::string_view raw = bytes_.next_block();
    raw_bytes_ = raw.size();
    is_at_end_ = raw.empty();
    dropped_.clear();
    block_ = raw.find('\r') == std::string_view::npos && !ends_in_cr_ ? raw : with_line_feeds(raw);
    note_block();
    if (bytes_.place().gap) {
      is_gap_open_ = true;
      is_within_line_ = false;
      return Loaded::kGap;
    }
  }
  if (is_within_line_) {
    const std::size_t end = block_.find(of_tags_ ? '<' : '\n');
    is_within_line_ = end == std::string_view::npos;
    block_.remove_prefix(is_within_line_ ? block_.size() : end + (of_tags_ ? 0 : 1));
    if (raw_bytes_ != 0) skipped_place_ = bytes_.place().file_byte.value_or(byte_in_block(0) - 1);
  }
  return is_at_end_ ? Loaded::kEnd : Loaded::kBlock;
}

std::string_view DumpLines::with_line_feeds(std::string_view raw) {
  cleaned_.clear();
  if (ends_in_cr_ && raw.starts_with('\n')) {
    raw.remove_prefix(1);
    dropped_.push_back(0);
  }
  ends_in_cr_ = raw.ends_with('\r');
  while (!raw.empty()) {
    const std::size_t end = std::min(raw.find('\r'), raw.size());
    cleaned_ += raw.substr(0, end);
    if (end == raw.size()) break;
    cleaned_ += '\n';
    raw.remove_prefix(end + 1);
    if (!raw.starts_with('\n')) continue;
    raw.remove_prefix(1);
    dropped_.push_back(cleaned_.size());
  }
  return cleaned_;
}

void DumpLines::note_block() {
  const auto byte = bytes_.place().file_byte;
  if (!byte || raw_bytes_ == 0) return;
  if (!has_started_) blocks_.clear();
  blocks_.push_back({block_byte_, *byte});
}

// `at` counts from the beginning of the rest of the block.
std::uint64_t DumpLines::byte_in_block(std::size_t at) const {
  if (dropped_.empty()) return end_byte() - block_.size() + at;
  const std::size_t kept = cleaned_.size() - block_.size() + at;
  const auto dropped = std::upper_bound(dropped_.begin(), dropped_.end(), kept) - dropped_.begin();
  return block_byte_ + kept + static_cast<std::uint64_t>(dropped);
}

std::uint64_t DumpLines::place_of(std::uint64_t byte) const {
  if (blocks_.empty()) return byte;
  const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), byte,
                                      [](std::uint64_t wanted, const FileBlock& block) { return wanted < block.byte; });
  return after == blocks_.begin() ? blocks_.front().file_byte : std::prev(after)->file_byte;
}

}  // namespace bertprep
