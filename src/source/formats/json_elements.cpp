#include "source/formats/json_elements.h"

#include <algorithm>
#include <utility>

#include "bertprep/base/error.h"
#include "unicode/ascii.h"
#include "unicode/code_points.h"

namespace bertprep {
namespace {

std::string_view from_first_sign(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kAsciiBlanks), text.size()));
}

// Whether the object continues where the line ends, and the next line does not begin another one.
bool is_spread(std::string_view object) {
  const std::size_t end = object.find('\n');
  if (end == std::string_view::npos) return false;
  JsonScan scan;
  scan.take(object.substr(0, end));
  if (scan.is_over() || scan.is_broken()) return false;
  const std::string_view next = from_first_sign(object.substr(end));
  return !next.empty() && next.front() != '{';
}

}  // namespace

std::size_t JsonScan::take_string(std::string_view bytes, std::size_t at) {
  for (; at < bytes.size(); ++at) {
    const char c = bytes[at];
    if (is_escaped_) {
      is_escaped_ = false;
    } else if (c == '\\') {
      is_escaped_ = true;
    } else if (c == '"') {
      is_in_string_ = false;
      is_over_ = open_.empty();
      return at + 1;
    } else if (c == '\n') {
      is_broken_ = true;
      return at;
    }
  }
  return at;
}

void JsonScan::open(char bracket) {
  is_broken_ = !open_.empty() && open_.back() == '{' && before_ != ':';
  open_ += bracket;
}

void JsonScan::close(char bracket) {
  is_broken_ = open_.empty() || open_.back() != (bracket == '}' ? '{' : '[');
  if (is_broken_) return;
  open_.pop_back();
  is_over_ = open_.empty();
}

std::size_t JsonScan::take(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size() && !is_over_ && !is_broken_) {
    if (is_in_string_) {
      at = take_string(bytes, at);
      continue;
    }
    const char c = bytes[at];
    const bool is_word = open_.empty() && before_ != 0;
    if (is_word && (is_ascii_blank(c) || c == ',' || c == ']' || c == '}')) {
      is_over_ = true;
      break;
    }
    if (c == '"') is_in_string_ = true;
    if (c == '{' || c == '[') open(c);
    if (c == '}' || c == ']') close(c);
    if (!is_ascii_blank(c)) before_ = c;
    if (!is_broken_) ++at;
  }
  return at;
}

JsonLayout json_layout_of(std::string_view head) {
  const std::string_view text = from_first_sign(head);
  if (text.starts_with('[')) return JsonLayout::kArray;
  return text.starts_with('{') && is_spread(text) ? JsonLayout::kSpread : JsonLayout::kLines;
}

bool begins_as_json_objects(std::string_view text) {
  if (text.starts_with('[')) text = from_first_sign(text.substr(1));
  if (!text.starts_with('{')) return false;
  text = from_first_sign(text.substr(1));
  return text.starts_with('"') || text.starts_with('}');
}

bool begins_as_json_strings(std::string_view text) {
  if (!text.starts_with('[')) return false;
  text = from_first_sign(text.substr(1));
  JsonScan string;
  if (!text.starts_with('"')) return false;
  text.remove_prefix(string.take(text));
  text = from_first_sign(text);
  return string.is_over() && (text.starts_with(',') || text.starts_with(']'));
}

JsonElements::JsonElements(std::string name, std::unique_ptr<ByteStream> bytes, std::uint64_t max_bytes)
    : RecordCutter(max_bytes), name_(std::move(name)), bytes_(std::move(bytes)) {}

void JsonElements::fail(const std::string& reason, const std::string& hint) const {
  throw FormatError("broken JSON array: " + reason + " (byte " + std::to_string(byte_) + ")",
                    name_ + ":" + std::to_string(line_), hint);
}

bool JsonElements::fill() {
  if (block_.empty()) block_ = bytes_->next_block();
  return !block_.empty();
}

// Continues after `count` bytes of the block.
void JsonElements::drop(std::size_t count) {
  const std::string_view gone = block_.substr(0, count);
  block_.remove_prefix(count);
  byte_ += count;
  line_ += static_cast<std::uint64_t>(std::count(gone.begin(), gone.end(), '\n'));
  const std::size_t feed = gone.rfind('\n');
  if (feed != std::string_view::npos) {
    is_at_line_start_ = true;
    indent_.clear();
  }
  const std::string_view on_line = feed == std::string_view::npos ? gone : gone.substr(feed + 1);
  is_at_line_start_ = is_at_line_start_ && on_line.find_first_not_of(kAsciiBlanks) == std::string_view::npos;
  if (is_at_line_start_) indent_ += on_line;
}

void JsonElements::skip_blanks() {
  while (fill()) {
    const std::size_t blanks = std::min(block_.find_first_not_of(kAsciiBlanks), block_.size());
    drop(blanks);
    if (!block_.empty()) return;
  }
}

void JsonElements::enter() {
  if (fill() && block_.starts_with(unicode::kByteOrderMark)) {
    block_.remove_prefix(unicode::kByteOrderMark.size());
    byte_ += unicode::kByteOrderMark.size();
  }
  skip_blanks();
  if (block_.empty() || block_.front() != '[') fail("it does not begin with [", "check the file");
  drop(1);
}

bool JsonElements::is_at_end_bracket() {
  skip_blanks();
  if (block_.empty()) fail("the file ends within it", "get the whole file; the elements before this point were read");
  return block_.front() == ']';
}

void JsonElements::finish() {
  drop(1);
  stage_ = Stage::kOver;
  skip_blanks();
  if (!block_.empty()) fail("something follows its end", "keep one array in each file");
}

bool JsonElements::next(std::string& element) {
  if (stage_ == Stage::kOver) return false;
  if (stage_ == Stage::kStart) enter();
  const bool is_first = stage_ != Stage::kElements;
  if (is_at_end_bracket()) {
    finish();
    return false;
  }
  if (!is_first) {
    drop(1);
    if (is_at_end_bracket()) fail("an element is missing after a comma", "fix it there");
  }
  if (is_at_line_start_ && line_ > 1) element_indent_ = indent_;
  stage_ = Stage::kElements;
  take_element(element);
  return true;
}

void JsonElements::take_element(std::string& element) {
  begin_record(line_, byte_, element);
  JsonScan scan;
  while (!scan.is_over() && !scan.is_broken()) {
    if (!fill())
      fail("the file ends within an element", "get the whole file; the elements before this point were read");
    const std::size_t count = scan.take(block_);
    add_to_record(block_.substr(0, count), element);
    drop(count);
  }
  if (!scan.is_broken()) skip_blanks();
  if (scan.is_broken() || (fill() && block_.front() != ',' && block_.front() != ']')) recover(element);
}

// Appends the text up to the next element that begins a line.
void JsonElements::recover(std::string& element) {
  if (!element_indent_) fail("a quote, comma or bracket is missing", "fix it there, or write one object per line");
  if (is_at_line_start_) return_to_line_start();
  for (std::string line = take_line(); !line.empty(); line = take_line()) {
    if (begins_element(line) || ends_array(line)) {
      // The comma between the elements belongs to the bad one.
      return put_back(std::move(line));
    }
    if (element.size() < kKeptBytes) element += line;
    byte_ += line.size();
    line_ += line.back() == '\n' ? 1 : 0;
  }
}

void JsonElements::return_to_line_start() {
  byte_ -= indent_.size();
  put_back_ = indent_ + std::string(block_);
  block_ = put_back_;
}

// The rest of the line with its line feed; not yet counted. Empty at the end.
std::string JsonElements::take_line() {
  std::string line;
  while (fill()) {
    const std::size_t feed = block_.find('\n');
    const std::size_t count = feed == std::string_view::npos ? block_.size() : feed + 1;
    line += block_.substr(0, count);
    block_.remove_prefix(count);
    if (line.size() > max_bytes()) fail("a line after a broken element is too long", "fix the element before it");
    if (feed != std::string_view::npos) break;
  }
  return line;
}

bool JsonElements::begins_element(std::string_view line) const {
  return line.starts_with(*element_indent_) && line.substr(element_indent_->size()).starts_with('{');
}

bool JsonElements::ends_array(std::string_view line) const {
  const std::size_t sign = line.find_first_not_of(kAsciiBlanks);
  return sign != std::string_view::npos && line[sign] == ']' && (sign < element_indent_->size() || sign == 0);
}

// An element or the end of the array follows in place of a comma.
void JsonElements::put_back(std::string line) {
  put_back_ = std::move(line) + std::string(block_);
  block_ = put_back_;
  stage_ = Stage::kFirst;
  is_at_line_start_ = true;
  indent_.clear();
}

}  // namespace bertprep
