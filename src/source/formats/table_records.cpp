#include "source/formats/table_records.h"

#include <algorithm>
#include <utility>

#include "bertprep/base/error.h"
#include "unicode/ascii.h"
#include "unicode/code_points.h"

namespace bertprep {
namespace {

void drop_line_end(std::string& record) {
  if (record.ends_with('\n')) record.pop_back();
  if (record.ends_with('\r')) record.pop_back();
}

}  // namespace

TableScan::State TableScan::after_quote(char c) const {
  if (c == '"') return State::kQuoted;
  if (c == separator_) return State::kField;
  if (c == '\n') return State::kOver;
  return c == '\r' ? State::kReturn : State::kBroken;
}

// A quote opens a field only where one begins.
std::size_t TableScan::take_plain(std::string_view bytes, std::size_t at, std::size_t& line_end) {
  if (line_end < at || line_end > bytes.size()) line_end = std::min(bytes.find('\n', at), bytes.size());
  const std::string_view rest = bytes.substr(at, line_end - at);
  const std::size_t quote = rest.find('"');
  if (quote != std::string_view::npos) {
    state_ = quote != 0 && rest[quote - 1] == separator_ ? State::kQuoted : State::kPlain;
    return at + quote + 1;
  }
  if (line_end != bytes.size()) {
    state_ = State::kOver;
    return line_end + 1;
  }
  state_ = rest.ends_with(separator_) ? State::kField : State::kPlain;
  return line_end;
}

std::size_t TableScan::take(std::string_view bytes) {
  std::size_t at = 0;
  std::size_t line_end = std::string_view::npos;  // of the current line
  while (at < bytes.size() && state_ != State::kOver && state_ != State::kBroken) {
    switch (state_) {
      case State::kField:
        state_ = bytes[at] == '"' ? State::kQuoted : State::kPlain;
        if (state_ == State::kQuoted) ++at;
        break;
      case State::kPlain:
        at = take_plain(bytes, at, line_end);
        break;
      case State::kQuoted: {
        const std::size_t quote = bytes.find('"', at);
        if (quote == std::string_view::npos) return bytes.size();
        state_ = State::kQuote;
        at = quote + 1;
        break;
      }
      case State::kReturn:
        state_ = bytes[at] == '\n' ? State::kOver : State::kBroken;
        if (state_ == State::kOver) ++at;
        break;
      default:
        state_ = after_quote(bytes[at]);
        if (state_ != State::kBroken) ++at;
    }
  }
  return at;
}

char csv_separator_of(std::string_view head) {
  head = unicode::without_byte_order_mark(head);
  head.remove_prefix(std::min(head.find_first_not_of(kAsciiBlanks), head.size()));
  bool is_quoted = false;
  bool has_semicolon = false;
  for (const char c : head) {
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (c == ',') return ',';
    if (c == '\n') break;
    has_semicolon = has_semicolon || c == ';';
  }
  return has_semicolon ? ';' : ',';
}

TableRecords::TableRecords(std::string name, std::unique_ptr<ByteStream> bytes, char separator, std::uint64_t max_bytes,
                           std::uint64_t first_line, std::uint64_t first_byte)
    : RecordCutter(max_bytes),
      name_(std::move(name)),
      bytes_(std::move(bytes)),
      separator_(separator),
      line_(first_line),
      byte_(first_byte) {}

bool TableRecords::fill() {
  if (front_.empty() && block_.empty()) {
    block_ = bytes_->next_block();
    if (byte_ == 0) skip_byte_order_mark();
  }
  return !source().empty();
}

// The first block may be shorter than the mark.
void TableRecords::skip_byte_order_mark() {
  if (block_.size() < unicode::kByteOrderMark.size()) {
    put_back_ = block_;
    while (!block_.empty() && put_back_.size() < unicode::kByteOrderMark.size()) {
      block_ = bytes_->next_block();
      put_back_ += block_;
    }
    block_ = {};
    front_ = put_back_;
  }
  if (!source().starts_with(unicode::kByteOrderMark)) return;
  source().remove_prefix(unicode::kByteOrderMark.size());
  byte_ = unicode::kByteOrderMark.size();
  if (source().empty()) block_ = bytes_->next_block();
}

// Takes `count` bytes of the record.
void TableRecords::take(std::size_t count, std::string& record) {
  std::string_view& from = source();
  const std::string_view part = from.substr(0, count);
  add_to_record(part, record);
  byte_ += count;
  line_ += static_cast<std::uint64_t>(std::count(part.begin(), part.end(), '\n'));
  from.remove_prefix(count);
}

void TableRecords::take_rest_of_line(std::string& record) {
  while (fill()) {
    const std::size_t feed = source().find('\n');
    take(feed == std::string_view::npos ? source().size() : feed + 1, record);
    if (feed != std::string_view::npos) return;
  }
}

// False at the end.
bool TableRecords::take_record(std::string& record) {
  record.clear();
  if (!fill()) return false;
  begin_record(line_, byte_, record);
  TableScan scan(separator_);
  while (!scan.is_over() && !scan.is_broken() && fill()) take(scan.take(source()), record);
  if (scan.is_broken() || scan.is_in_quotes()) recover(record);
  return true;
}

void TableRecords::recover(std::string& record) {
  if (!is_truncated() && record.find('\n') != std::string::npos) return put_back_after_first_line(record);
  const bool is_at_end = !fill();
  if (is_at_end && is_truncated()) {
    throw FormatError("a quote of this record is not closed up to the end of the file",
                      name_ + ":" + std::to_string(line()), "close it, or double the quotes within fields");
  }
  take_rest_of_line(record);
}

void TableRecords::put_back_after_first_line(std::string& record) {
  const std::size_t first_bytes = record.find('\n') + 1;
  const std::string_view rest = std::string_view(record).substr(first_bytes);
  byte_ -= rest.size();
  line_ -= static_cast<std::uint64_t>(std::count(rest.begin(), rest.end(), '\n'));
  if (front_.empty()) {
    put_back_ = rest;
    front_ = put_back_;
  } else {
    // The whole record was here.
    front_ = std::string_view(front_.data() - rest.size(), front_.size() + rest.size());
  }
  shorten_record(first_bytes, record);
}

bool TableRecords::next(std::string& record) {
  while (take_record(record)) {
    if (is_truncated()) return true;
    drop_line_end(record);
    if (!record.empty()) return true;
  }
  return false;
}

}  // namespace bertprep
