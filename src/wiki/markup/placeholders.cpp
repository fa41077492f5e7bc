#include "wiki/markup/placeholders.h"

#include <algorithm>
#include <set>

#include "unicode/byte_search.h"

namespace bertprep {
namespace {

bool has_name(std::string_view text, std::size_t at, std::string_view name) {
  return text.size() - at >= name.size() &&
         std::equal(name.begin(), name.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                    [](char n, char t) { return n == t || (t >= 'A' && t <= 'Z' && n == (t | 0x20)); });
}

// The end of </name>, with spaces anywhere in it; kNotFound if other text begins at `begin`.
std::size_t end_of_closing(std::string_view text, std::size_t begin, std::string_view name) {
  const std::size_t slash = unicode::skip_spaces(text, begin + 1);
  if (!text.substr(slash).starts_with('/')) return kNotFound;
  const std::size_t name_begin = unicode::skip_spaces(text, slash + 1);
  if (!has_name(text, name_begin, name)) return kNotFound;
  const std::size_t end = unicode::skip_spaces(text, name_begin + name.size());
  return text.substr(end).starts_with('>') ? end + 1 : kNotFound;
}

// Every beginning of an element, with the end of its first closing tag, even inside another element.
void find_elements(std::string_view text, std::string_view name, std::vector<MarkupSpan>& matches) {
  std::size_t closing_end = 0;
  NextPlace next_close([text](std::size_t from) { return find_byte(text, '>', from); });
  NextPlace next_closing([&](std::size_t from) {
    for (std::size_t begin = find_byte(text, '<', from); begin != kNotFound; begin = find_byte(text, '<', begin + 1)) {
      closing_end = end_of_closing(text, begin, name);
      if (closing_end != kNotFound) return begin;
    }
    return kNotFound;
  });
  matches.clear();
  for (std::size_t begin = find_byte(text, '<'); begin != kNotFound; begin = find_byte(text, '<', begin + 1)) {
    const std::size_t name_begin = unicode::skip_spaces(text, begin + 1);
    if (!has_name(text, name_begin, name)) continue;
    const std::size_t name_end = name_begin + name.size();
    std::size_t end = unicode::skip_spaces(text, name_end);
    if (!text.substr(end).starts_with('>')) {
      if (!text.substr(name_end).starts_with(' ')) continue;
      end = next_close.at_or_after(name_end);
    }
    if (end == kNotFound || next_closing.at_or_after(end + 1) == kNotFound) return;
    matches.push_back({begin, closing_end});
  }
}

// Moves the matches that begin inside the previous one from `matches` to `inner`.
void split_inner(std::vector<MarkupSpan>& matches, std::vector<MarkupSpan>& inner) {
  inner.clear();
  std::size_t end = 0;
  std::erase_if(matches, [&](const MarkupSpan& match) {
    if (match.begin >= end) {
      end = match.end;
      return false;
    }
    inner.push_back(match);
    return true;
  });
}

std::string_view part(std::string_view text, const MarkupSpan& span) {
  return text.substr(span.begin, span.end - span.begin);
}

std::string numbered(std::string_view placeholder, std::size_t number) {
  return std::string(placeholder) + std::to_string(number);
}

std::map<std::string_view, std::size_t> number_elements(std::string_view text, const std::vector<MarkupSpan>& matches) {
  std::map<std::string_view, std::size_t> numbers;
  for (std::size_t i = 0; i < matches.size(); ++i) numbers.try_emplace(part(text, matches[i]), i + 1);
  return numbers;
}

}  // namespace

// Whether an element contains another one that is replaced earlier, or part of one. Otherwise equal text occurs only
// among the elements, and their order does not matter. Nothing: can't be decided within the budget.
std::optional<bool> Placeholders::depends_on_turns(std::string_view text, const Numbers& numbers) const {
  std::set<std::size_t> lengths;
  for (const auto& number : numbers) lengths.insert(number.first.size());
  std::size_t work = 0;
  auto outer = matches_.begin();
  for (const MarkupSpan& inner : inner_) {
    while (outer->end <= inner.begin) ++outer;
    if (inner.end > outer->end) return true;
    const std::string_view whole = part(text, inner);
    if (!lengths.contains(whole.size())) continue;
    work += whole.size();
    if (work > kWorkPerByte * text.size()) return {};
    const auto number = numbers.find(whole);
    if (number != numbers.end() && number->second < numbers.at(part(text, *outer))) return true;
  }
  return false;
}

void Placeholders::replace_at_once(std::string_view text, const Numbers& numbers, std::string_view placeholder,
                                   std::string& out) const {
  Edits edits(text, out);
  for (const MarkupSpan& match : matches_) {
    edits.replace(match.begin, match.end, numbered(placeholder, numbers.at(part(text, match))));
  }
  edits.finish();
}

// The result of a replacement may be part of a later element's text, so the elements' texts are replaced one by one.
bool Placeholders::replace_in_turn(std::string_view text, std::string_view element, std::string_view placeholder,
                                   std::string& out) {
  constexpr std::size_t kWorkOfMatch = 16, kBytesOfWork = 16;
  std::size_t work = 0;
  std::set<std::string_view> done;
  const std::vector<MarkupSpan> elements = matches_;
  out = text;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const std::string_view whole = part(text, elements[i]);
    if (!done.insert(whole).second) continue;
    find_elements(out, element, matches_);
    work += kWorkOfMatch * matches_.size() + out.size() / kBytesOfWork;
    if (work > kWorkPerByte * text.size()) return false;
    Edits edits(out, spare_);
    std::size_t end = 0;
    for (const MarkupSpan& match : matches_) {
      if (match.begin < end || part(out, match) != whole) continue;
      edits.replace(match.begin, match.end, numbered(placeholder, i + 1));
      end = match.end;
    }
    if (edits.finish()) out.swap(spare_);
  }
  return true;
}

Rewrite Placeholders::replace_element(std::string_view text, std::string_view element, std::string_view placeholder,
                                      std::string& out) {
  find_elements(text, element, matches_);
  if (matches_.empty()) return Rewrite::kUnchanged;
  split_inner(matches_, inner_);
  const Numbers numbers = number_elements(text, matches_);
  const std::optional<bool> in_turn = depends_on_turns(text, numbers);
  if (!in_turn) return Rewrite::kGivenUp;
  if (*in_turn && !replace_in_turn(text, element, placeholder, out)) return Rewrite::kGivenUp;
  if (!*in_turn) replace_at_once(text, numbers, placeholder, out);
  return Rewrite::kChanged;
}

Rewrite Placeholders::replace(std::string_view text, std::string& out) {
  const Rewrite math = replace_element(text, "math", "formula_", out);
  if (math == Rewrite::kGivenUp) return math;
  std::string other;
  const Rewrite code = replace_element(math == Rewrite::kChanged ? out : text, "code", "codice_", other);
  if (code == Rewrite::kChanged) out.swap(other);
  return code == Rewrite::kUnchanged ? math : code;
}

}  // namespace bertprep
