#include "wiki/dump/dump_tag.h"

#include <algorithm>

namespace bertprep {
namespace {

// Characters beyond ASCII count as letters: no tag of a dump has any, and text has no "<" of its own.
bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || c == '_' || (c >= '0' && c <= '9') || ((byte | 0x20U) >= 'a' && (byte | 0x20U) <= 'z');
}

std::size_t end_of_name(std::string_view line, std::size_t at) {
  while (at < line.size() && is_word(line[at])) ++at;
  return at;
}

}  // namespace

std::optional<DumpTag> first_tag(std::string_view line) {
  for (std::size_t begin = line.find('<'); begin != std::string_view::npos; begin = line.find('<', begin + 1)) {
    const std::size_t word = begin + 1 + (begin + 1 < line.size() && line[begin + 1] == '/' ? 1 : 0);
    const std::size_t end = end_of_name(line, word);
    if (end == word) continue;
    const std::size_t close = line.find('>', end);
    if (close == std::string_view::npos) return std::nullopt;
    const std::size_t next = std::min(line.find('<', close + 1), line.size());
    return DumpTag{.name = line.substr(begin + 1, end - begin - 1),
                   .begin = begin,
                   .close = close,
                   .value = line.substr(close + 1, next - close - 1),
                   .is_closed = next < line.size() && line.find('>', next) != std::string_view::npos};
  }
  return std::nullopt;
}

}  // namespace bertprep
