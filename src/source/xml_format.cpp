#include "source/xml_format.h"

#include <algorithm>
#include <array>

#include "bertprep/io/strip.h"

namespace bertprep {
namespace {

// What begins with `begin` and ends with `end` is taken off the front.
bool skip(std::string_view& text, std::string_view begin, std::string_view end) {
  if (!text.starts_with(begin)) return false;
  const std::size_t stop = text.find(end, begin.size());
  text = strip(stop == std::string_view::npos ? std::string_view{} : text.substr(stop + end.size()));
  return true;
}

// Declaration, comments and document type in front of the root.
bool skip_prolog(std::string_view& text) {
  bool was_there = false;
  while (skip(text, "<?", "?>") || skip(text, "<!--", "-->") || skip(text, "<!DOCTYPE", ">")) was_there = true;
  return was_there;
}

bool begins_with_tag(std::string_view text, std::string_view tag) {
  if (!text.starts_with(tag)) return false;
  text.remove_prefix(tag.size());
  return text.empty() || text.front() == '>' || !strip(text.substr(0, 1)).starts_with(text.front());
}

}  // namespace

std::optional<std::string> xml_format_of(std::string_view text) {
  const bool has_prolog = skip_prolog(text);
  if (begins_with_tag(text, "<mediawiki") || begins_with_tag(text, "<page")) return "mediawiki";
  if (text.starts_with("<doc id=")) return "wikiextractor";
  constexpr std::array<std::string_view, 4> kOthers = {"<html", "<HTML", "<doc", "<feed"};
  const bool is_other =
      std::any_of(kOthers.begin(), kOthers.end(), [&](std::string_view tag) { return begins_with_tag(text, tag); });
  return has_prolog || is_other ? std::optional<std::string>("") : std::nullopt;
}

}  // namespace bertprep
