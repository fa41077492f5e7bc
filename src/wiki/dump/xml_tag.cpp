#include "wiki/dump/xml_tag.h"

#include <algorithm>

#include "unicode/ascii.h"

namespace bertprep {
namespace {

constexpr std::string_view kComment = "<!--";
constexpr std::string_view kCdata = "<![CDATA[";
constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::size_t kLongestTag = std::size_t{1} << 16;

bool is_name_byte(char c) {
  return static_cast<unsigned char>(c) >= 0x80 || is_ascii_alphanumeric(c) || c == '_' || c == '-' || c == '.' ||
         c == ':';
}

bool begins_name(std::string_view text) {
  return !text.empty() && is_name_byte(text.front()) && !is_ascii_digit(text.front()) && text.front() != '-' &&
         text.front() != '.';
}

// Whether the last quote that opens is closed.
bool has_closed_quotes(std::string_view raw) {
  char open = 0;
  for (const char c : raw) {
    if (open == 0 && (c == '"' || c == '\'')) {
      open = c;
    } else if (c == open) {
      open = 0;
    }
  }
  return open == 0;
}

}  // namespace

bool begins_markup(char next) {
  return next == '/' || next == '!' || next == '?' || begins_name({&next, 1});
}

bool is_whole_tag(std::string_view raw) {
  if (raw.starts_with(kComment)) return raw.size() >= kComment.size() + 3 && raw.ends_with("-->");
  if (raw.starts_with(kCdata)) return raw.ends_with("]]>");
  if (raw.starts_with("<?")) return raw.ends_with("?>");
  if (raw.size() > kLongestTag) return true;
  if (raw.starts_with("<!")) {
    return raw.find('[') == std::string_view::npos || raw.find_last_of(']') == raw.find_last_not_of("> \t\r\n");
  }
  return !begins_name(raw.substr(raw.substr(1).starts_with('/') ? 2 : 1)) || has_closed_quotes(raw);
}

XmlTag read_xml_tag(std::string_view raw) {
  XmlTag tag;
  tag.raw = raw;
  if (raw.starts_with(kCdata)) {
    tag.kind = XmlKind::kCdata;
    tag.attributes = raw.substr(kCdata.size(), raw.size() - kCdata.size() - 3);
    return tag;
  }
  const bool is_declaration = raw.starts_with("<?xml") || raw.starts_with("<!DOCTYPE");
  if (is_declaration) tag.kind = XmlKind::kDeclaration;
  const bool is_end = raw.substr(1).starts_with('/');
  std::string_view rest = raw.substr(is_end || is_declaration ? 2 : 1);
  if (!begins_name(rest)) return tag;
  rest.remove_suffix(1);
  const bool is_empty = !is_end && rest.ends_with('/');
  if (is_empty) rest.remove_suffix(1);
  const auto* const name_end = std::find_if_not(rest.begin(), rest.end(), is_name_byte);
  const std::string_view name = rest.substr(0, static_cast<std::size_t>(name_end - rest.begin()));
  tag.attributes = rest.substr(name.size());
  tag.name = name.substr(name.find(':') + 1);  // npos + 1 is 0
  if (!is_declaration) tag.kind = is_end ? XmlKind::kClosing : is_empty ? XmlKind::kEmpty : XmlKind::kOpening;
  return tag;
}

std::string_view attribute_of(const XmlTag& tag, std::string_view name) {
  std::string_view rest = tag.attributes;
  for (;;) {
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    const std::size_t equals = rest.find('=');
    if (equals == std::string_view::npos) return {};
    std::string_view key = rest.substr(0, equals);
    key = key.substr(0, key.find_last_not_of(kBlanks) + 1);
    rest.remove_prefix(equals + 1);
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    const std::size_t end = rest.empty() ? std::string_view::npos : rest.find(rest.front(), 1);
    if (end == std::string_view::npos) return {};
    if (key.substr(key.find(':') + 1) == name) return rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
  }
}

}  // namespace bertprep
