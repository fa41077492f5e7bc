#include "wiki/markup/character_runs.h"

#include <algorithm>
#include <cstddef>

#include "wiki/markup/edits.h"
#include "wiki/markup/markup_bytes.h"

namespace bertprep {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::string_view kLeftGuillemet = "\u00AB", kRightGuillemet = "\u00BB";

std::size_t find_run(std::string_view text, std::size_t from) {
  return find_bytes(text, from, [](ByteBlock here, ByteBlock next) {
    const ByteBlock pairs = (here == ' ') | (here == '.') | (here == '<') | (here == '>');
    return (pairs & (here == next)) | (here == '\t');
  });
}

std::size_t end_of_run(std::string_view text, std::size_t from, std::string_view of) {
  return std::min(text.find_first_not_of(of, from), text.size());
}

bool replace_each(std::string_view text, std::string_view what, std::string_view by, std::string& out) {
  Edits edits(text, out);
  for (std::size_t at = text.find(what); at != kNone; at = text.find(what, at + what.size())) {
    edits.replace(at, at + what.size(), by);
  }
  return edits.finish();
}

// First one, then the other.
bool replace_both(std::string_view text, std::string_view first, std::string_view by_first, std::string_view second,
                  std::string_view by_second, std::string& spare, std::string& out) {
  const bool changed = replace_each(text, first, by_first, out);
  if (!replace_each(changed ? out : text, second, by_second, spare)) return changed;
  out.swap(spare);
  return true;
}

}  // namespace

bool shorten_runs(std::string_view text, std::string& out) {
  Edits edits(text, out);
  std::size_t end = 0;
  for (std::size_t at = find_run(text, 0); at != kNone; at = find_run(text, end)) {
    const char c = text[at];
    if (c == ' ' || c == '\t') {
      const std::size_t begin = c == '\t' && at > end && text[at - 1] == ' ' ? at - 1 : at;
      end = end_of_run(text, at, " \t");
      edits.replace(begin, end, " ");
    } else if (c == '.') {
      end = end_of_run(text, at, ".");
      if (end - at > 3) edits.erase(at + 3, end);
    } else {
      end = at + 2;
      edits.replace(at, end, c == '<' ? kLeftGuillemet : kRightGuillemet);
    }
  }
  return edits.finish();
}

bool close_up_brackets(std::string_view text, std::string& spare, std::string& out) {
  const std::size_t bracket = find_bytes(text, 0, [](ByteBlock here, ByteBlock next) {
    return ((here == ')') & (next == ']')) | ((here == '[') & (next == '('));
  });
  if (bracket == kNone) return false;
  return replace_both(text, " ,:.)]\u00BB", ",:.)]\u00BB", "[(\u00AB ", "[(\u00AB", spare, out);
}

bool shorten_commas(std::string_view text, std::string& spare, std::string& out) {
  const std::size_t comma = find_bytes(
      text, 0, [](ByteBlock here, ByteBlock next) { return (here == ',') & ((next == ',') | (next == '.')); });
  if (comma == kNone) return false;
  return replace_both(text, ",,", ",", ",.", ".", spare, out);
}

}  // namespace bertprep
