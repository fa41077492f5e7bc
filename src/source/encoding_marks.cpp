#include "source/encoding_marks.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace bertprep {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::size_t kLookedAtBytes = std::size_t{1} << 20;
constexpr std::size_t kUnitsToABlank = 20;

struct Blanks {
  std::size_t little = 0;  // units that are a blank or line feed with the low byte in front
  std::size_t big = 0;
};

bool is_blank(char byte) {
  return byte == ' ' || byte == '\n';
}

Blanks count_blanks(std::string_view bytes) {
  Blanks blanks;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    if (is_blank(bytes[i]) && bytes[i + 1] == '\0') ++blanks.little;
    if (bytes[i] == '\0' && is_blank(bytes[i + 1])) ++blanks.big;
  }
  return blanks;
}

bool is_ascii(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Between "~{" and "~}" are pairs of graphic characters (RFC 1843).
bool are_hz_pairs(std::string_view text) {
  return text.size() % 2 == 0 && !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7F'; });
}

// At least one, and all of them sound.
bool has_hz_escapes(std::string_view text) {
  bool has_pairs = false;
  for (std::size_t begin = text.find("~{"); begin != std::string_view::npos; begin = text.find("~{", begin)) {
    begin += 2;
    const std::size_t end = std::min(text.find("~}", begin), text.find('\n', begin));
    if (!are_hz_pairs(text.substr(begin, std::min(end, text.size()) - begin))) return false;
    has_pairs = true;
  }
  return has_pairs;
}

}  // namespace

std::optional<std::string> encoding_by_mark(std::string_view bytes) {
  constexpr std::array<std::pair<std::string_view, const char*>, 5> kMarks = {{{"\xEF\xBB\xBF"sv, "UTF-8"},
                                                                               {"\xFF\xFE\0\0"sv, "UTF-32"},
                                                                               {"\0\0\xFE\xFF"sv, "UTF-32"},
                                                                               {"\xFF\xFE"sv, "UTF-16"},
                                                                               {"\xFE\xFF"sv, "UTF-16"}}};
  for (const auto& [mark, name] : kMarks) {
    if (bytes.starts_with(mark)) return name;
  }
  return std::nullopt;
}

std::optional<std::string> utf16_without_mark(std::string_view bytes) {
  if (bytes.size() % 2 != 0) return std::nullopt;
  bytes = bytes.substr(0, kLookedAtBytes);
  const Blanks blanks = count_blanks(bytes);
  const std::size_t wanted = bytes.size() / 2 / kUnitsToABlank;
  if (blanks.little > wanted && blanks.big * 10 < blanks.little) return "UTF-16LE";
  if (blanks.big > wanted && blanks.little * 10 < blanks.big) return "UTF-16BE";
  return std::nullopt;
}

std::optional<std::string> encoding_by_escapes(std::string_view bytes) {
  constexpr std::array<std::pair<std::string_view, const char*>, 5> kEscapes = {{{"\x1B$)C"sv, "ISO-2022-KR"},
                                                                                 {"\x1B$)A"sv, "ISO-2022-CN"},
                                                                                 {"\x1B$)G"sv, "ISO-2022-CN"},
                                                                                 {"\x1B$B"sv, "ISO-2022-JP"},
                                                                                 {"\x1B$@"sv, "ISO-2022-JP"}}};
  const bool has_escape = bytes.find('\x1B') != std::string_view::npos;
  if ((!has_escape && bytes.find("~{") == std::string_view::npos) || !is_ascii(bytes)) return std::nullopt;
  for (const auto& [escape, name] : kEscapes) {
    if (bytes.find(escape) != std::string_view::npos) return name;
  }
  return has_hz_escapes(bytes) ? std::optional<std::string>("HZ") : std::nullopt;
}

}  // namespace bertprep
