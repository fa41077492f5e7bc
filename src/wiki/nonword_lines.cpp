#include "wiki/nonword_lines.h"

#include <cstddef>

#include "wiki/edits.h"
#include "wiki/markup_bytes.h"

namespace bertprep {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

// The line feed that ends the line at `from` if that holds no word; kNone if it does, or if the text ends first.
std::size_t end_of_nonword_line(std::string_view text, std::size_t from, const WordCharacters& words) {
  for (std::size_t at = from; at < text.size();) {
    if (text[at] == '\n') return at;
    const CodePoint c = code_point_at(text, at);
    if (words.is_word(c.value)) return kNone;
    at += c.bytes;
  }
  return kNone;
}

}  // namespace

bool drop_nonword_lines(std::string_view text, const WordCharacters& words, std::string& out) {
  Edits edits(text, out);
  for (std::size_t feed = find_byte(text, '\n'); feed != kNone;) {
    // A line feed right behind the first counts as the character that has to be there.
    const bool is_blank_line = text.substr(feed + 1).starts_with('\n');
    const std::size_t end = end_of_nonword_line(text, feed + (is_blank_line ? 2 : 1), words);
    if (end != kNone) {
      edits.erase(feed + 1, end + 1);
      feed = find_byte(text, '\n', end + 1);
    } else {
      feed = find_byte(text, '\n', feed + 1);
    }
  }
  return edits.finish();
}

}  // namespace bertprep
