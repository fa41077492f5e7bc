#include "source/json_scan.h"

#include <algorithm>

namespace bertprep {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool is_blank(char c) {
  return kBlanks.find(c) != std::string_view::npos;
}

std::string_view from_first_sign(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
}

// Whether the object goes on where the line ends, and the next line does not begin another one.
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
    if (is_word && (is_blank(c) || c == ',' || c == ']' || c == '}')) {
      is_over_ = true;
      break;
    }
    if (c == '"') is_in_string_ = true;
    if (c == '{' || c == '[') open(c);
    if (c == '}' || c == ']') close(c);
    if (!is_blank(c)) before_ = c;
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

}  // namespace bertprep
