#include "wiki/clean/markup/entities.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "unicode/properties/html_names.h"
#include "wiki/clean/markup/chars.h"

namespace bertprep::clean {
namespace {

constexpr std::size_t kLongestReference = 34;  // "&CounterClockwiseContourIntegral;" and some

std::optional<std::uint32_t> number_of(std::string_view digits) {
  const bool hex = !digits.empty() && ascii_lower(digits.front()) == 'x';
  if (hex) digits.remove_prefix(1);
  if (digits.empty() || digits.size() > 8) return std::nullopt;
  std::uint64_t code = 0;
  for (const char digit : digits) {
    const char small = ascii_lower(digit);
    const bool is_hex_letter = hex && small >= 'a' && small <= 'f';
    if (!is_ascii_digit(digit) && !is_hex_letter) return std::nullopt;
    code = code * (hex ? 16 : 10) + static_cast<std::uint64_t>(is_ascii_digit(digit) ? digit - '0' : small - 'a' + 10);
  }
  return code <= 0x10FFFF ? std::optional<std::uint32_t>(static_cast<std::uint32_t>(code)) : std::nullopt;
}

bool is_text_code(std::uint32_t code) {
  if (code < 0x20) return code == '\n' || code == '\t';
  return (code < 0x7F || code > 0x9F) && (code < 0xD800 || code > 0xDFFF) && (code & 0xFFFE) != 0xFFFE;
}

// Decodes what stands between `&` and `;`. False: no reference.
bool append_reference(std::string_view body, bool xml_only, std::string& out) {
  if (body.starts_with('#')) {
    const auto code = number_of(body.substr(1));
    if (code && is_text_code(*code)) unicode::append_utf8(*code, out);
    const bool is_number =
        std::all_of(body.begin() + 1, body.end(), [](char b) { return is_ascii_letter(b) || is_ascii_digit(b); });
    return code.has_value() || (!xml_only && is_number);  // &#1114112; is no character
  }
  if (xml_only && body != "lt" && body != "gt" && body != "amp" && body != "quot" && body != "apos") return false;
  const std::string_view characters = unicode::html5_characters(body);
  out.append(characters);
  return !characters.empty();
}

// Four of the five names of XML, which are nearly all references of a dump. Returns the length of what it decoded
// behind `&`, or 0.
std::size_t append_frequent_name(std::string_view text, std::string& out) {
  const auto take = [&](std::string_view name, char sign) -> std::size_t {
    if (!text.starts_with(name)) return 0;
    out.push_back(sign);
    return name.size();
  };
  switch (text.empty() ? '\0' : text.front()) {
    case 'a':
      return take("amp;", '&');
    case 'g':
      return take("gt;", '>');
    case 'l':
      return take("lt;", '<');
    case 'q':
      return take("quot;", '"');
    default:
      return 0;
  }
}

void unescape(std::string_view text, bool xml_only, std::string& out) {
  out.clear();
  out.reserve(text.size());
  std::size_t begin = 0;
  for (;;) {
    const std::size_t at = text.find('&', begin);
    out.append(text.substr(begin, at - begin));
    if (at == std::string_view::npos) return;
    if (const std::size_t length = append_frequent_name(text.substr(at + 1), out); length != 0) {
      begin = at + 1 + length;
      continue;
    }
    const std::string_view window = text.substr(at + 1, kLongestReference);
    const std::size_t end = window.find(';');
    if (end != std::string_view::npos && append_reference(window.substr(0, end), xml_only, out)) {
      begin = at + end + 2;
    } else {
      out.push_back('&');
      begin = at + 1;
    }
  }
}

}  // namespace

void unescape_xml(std::string_view text, std::string& out) {
  unescape(text, true, out);
}

void unescape_html(std::string& text) {
  for (int pass = 0; pass < 2 && text.find('&') != std::string::npos; ++pass) {
    std::string out;
    unescape(text, false, out);
    text.swap(out);
  }
}

}  // namespace bertprep::clean
