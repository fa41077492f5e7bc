#include "unicode/utf8_text.h"

#include <algorithm>
#include <cstring>

#include "bertprep/base/error.h"
#include "unicode/ascii.h"
#include "unicode/code_points.h"

namespace bertprep {
namespace {

constexpr std::size_t kShownKeyBytes = 40;
constexpr std::uint64_t kHighBits = 0x8080808080808080;

std::string two_digits(char c) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  return {kDigits[byte >> 4U], kDigits[byte & 0xFU]};
}

std::uint64_t load_word(const char* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

// The first index from `index` on that is not ASCII, or the size.
std::size_t skip_ascii(std::string_view bytes, std::size_t index) {
  while (index + 16 <= bytes.size() &&
         ((load_word(bytes.data() + index) | load_word(bytes.data() + index + 8)) & kHighBits) == 0) {
    index += 16;
  }
  while (index < bytes.size() && static_cast<unsigned char>(bytes[index]) < 0x80) ++index;
  return index;
}

constexpr bool is_continuation(unsigned char byte) {
  return (byte & 0xC0) == 0x80;
}

// The second byte decides whether a form is overlong, a surrogate or beyond U+10FFFF (Unicode 14, table 3-7).
constexpr bool is_second_of_three(unsigned char first, unsigned char second) {
  if (first == 0xE0) return second >= 0xA0 && second <= 0xBF;
  if (first == 0xED) return second >= 0x80 && second <= 0x9F;
  return is_continuation(second);
}

constexpr bool is_second_of_four(unsigned char first, unsigned char second) {
  if (first == 0xF0) return second >= 0x90 && second <= 0xBF;
  if (first == 0xF4) return second >= 0x80 && second <= 0x8F;
  return is_continuation(second);
}

// Length of the well-formed sequence of two to four bytes at `bytes`, 0 if it is not well-formed.
std::size_t sequence_bytes(const unsigned char* bytes, std::size_t left) {
  const unsigned char first = bytes[0];
  if (first < 0xC2 || first > 0xF4) return 0;
  if (first < 0xE0) return left >= 2 && is_continuation(bytes[1]) ? 2 : 0;
  if (first < 0xF0) {
    return left >= 3 && is_second_of_three(first, bytes[1]) && is_continuation(bytes[2]) ? 3 : 0;
  }
  return left >= 4 && is_second_of_four(first, bytes[1]) && is_continuation(bytes[2]) && is_continuation(bytes[3]) ? 4
                                                                                                                   : 0;
}

std::size_t space_bytes_at_end(std::string_view text) {
  const std::size_t size = text.size();
  if (static_cast<unsigned char>(text.back()) < 0x80) return unicode::space_bytes(text, size - 1);
  if (size >= 2 && unicode::space_bytes(text, size - 2) == 2) return 2;
  if (size >= 3 && unicode::space_bytes(text, size - 3) == 3) return 3;
  return 0;
}

}  // namespace

std::optional<std::size_t> find_invalid_utf8(std::string_view bytes) {
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t index = 0;
  while (true) {
    index = skip_ascii(bytes, index);
    // Characters outside ASCII rarely come alone.
    while (index < bytes.size() && data[index] >= 0x80) {
      const std::size_t length = sequence_bytes(data + index, bytes.size() - index);
      if (length == 0) return index;
      index += length;
    }
    if (index == bytes.size()) return std::nullopt;
  }
}

void require_valid_utf8(std::string_view bytes, const std::string& file, std::size_t first_line,
                        std::size_t first_byte) {
  const auto fault = find_invalid_utf8(bytes);
  if (!fault) return;
  const auto end = bytes.begin() + static_cast<std::ptrdiff_t>(*fault);
  const auto line = first_line + static_cast<std::size_t>(std::count(bytes.begin(), end, '\n'));
  throw FormatError("invalid UTF-8 at byte " + std::to_string(first_byte + *fault), file + ":" + std::to_string(line),
                    "convert the file to UTF-8");
}

std::string_view strip_end(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = space_bytes_at_end(text);
    if (bytes == 0) break;
    text.remove_suffix(bytes);
  }
  return text;
}

std::string_view strip(std::string_view text) {
  text.remove_prefix(unicode::skip_spaces(text, 0));
  return strip_end(text);
}

std::vector<std::string_view> split_stripped_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    lines.push_back(strip(text.substr(0, end)));
    text.remove_prefix(end);
    text.remove_prefix(text.starts_with("\r\n") ? 2 : text.empty() ? 0 : 1);
  }
  return lines;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::size_t found = text.find(from);
  if (found == std::string::npos) return;
  std::string out;
  std::size_t begin = 0;
  for (; found != std::string::npos; found = text.find(from, begin)) {
    out.append(text, begin, found - begin).append(to);
    begin = found + from.size();
  }
  text = out.append(text, begin);
}

std::string url_encoded(std::string_view text, bool keeps_slashes) {
  std::string encoded;
  for (const char c : text) {
    const bool is_plain = is_ascii_alphanumeric(c) || std::string_view("-_.~").find(c) != std::string_view::npos;
    encoded += is_plain || (keeps_slashes && c == '/') ? std::string(1, c) : "%" + two_digits(c);
  }
  return encoded;
}

std::string visible_text(std::string_view bytes) {
  std::string shown;
  const auto escape = [&](unsigned char byte) { shown += "\\x" + two_digits(static_cast<char>(byte)); };
  while (!bytes.empty()) {
    const std::string_view valid = bytes.substr(0, find_invalid_utf8(bytes).value_or(bytes.size()));
    for (std::size_t i = 0; i < valid.size(); ++i) {
      const auto byte = static_cast<unsigned char>(valid[i]);
      const bool is_c1 = byte == 0xC2 && static_cast<unsigned char>(valid[i + 1]) < 0xA0;
      if (byte == '\r') {
        shown += "\\r";
      } else if (is_c1) {
        escape(byte);
        escape(static_cast<unsigned char>(valid[++i]));
      } else if ((byte < ' ' && byte != '\n' && byte != '\t') || byte == 0x7F) {
        escape(byte);
      } else {
        shown += valid[i];
      }
    }
    bytes.remove_prefix(valid.size());
    if (bytes.empty()) break;
    escape(static_cast<unsigned char>(bytes.front()));
    bytes.remove_prefix(1);
  }
  return shown;
}

std::string quoted_key(std::string_view key) {
  std::string shown(key.substr(0, kShownKeyBytes));
  shown.resize(find_invalid_utf8(shown).value_or(shown.size()));
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, '?');
  return "\"" + shown + (key.size() > shown.size() ? "…\"" : "\"");
}

}  // namespace bertprep
