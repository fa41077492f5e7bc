#include "twins/markup.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <regex>
#include <utility>
#include <vector>

#include "unicode/code_points.h"

namespace bertprep::test::plain_markup {
namespace {

using Span = std::pair<std::size_t, std::size_t>;

// The leftmost match from `from` on. The character before decides whether a word begins there.
std::optional<Span> search(const std::string& text, const std::regex& pattern, std::size_t from) {
  if (from > text.size()) return {};
  std::smatch match;
  const auto begin = text.begin() + static_cast<std::ptrdiff_t>(from);
  const auto flags = from > 0 ? std::regex_constants::match_prev_avail : std::regex_constants::match_default;
  if (!std::regex_search(begin, text.end(), match, pattern, flags)) return {};
  const std::size_t at = from + static_cast<std::size_t>(match.position());
  return Span(at, at + static_cast<std::size_t>(match.length()));
}

std::vector<Span> search_all(const std::string& text, const std::regex& pattern) {
  std::vector<Span> spans;
  for (auto span = search(text, pattern, 0); span; span = search(text, pattern, span->second)) spans.push_back(*span);
  return spans;
}

std::string replace_each(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

std::string replace_matches(const std::string& text, const std::regex& pattern,
                            const std::function<std::string(const std::smatch&)>& by) {
  std::string result;
  auto at = text.begin();
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    result.append(at, (*match)[0].first);
    result += by(*match);
    at = (*match)[0].second;
  }
  return result.append(at, text.end());
}

std::string without(const std::string& text, std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end());
  std::string result;
  std::size_t at = 0;
  for (const auto& [begin, end] : spans) {
    if (begin < at) continue;
    result += text.substr(at, begin - at);
    at = end;
  }
  return result + text.substr(at);
}

// The rules of nested drop restated.
std::string drop_nested(const std::string& text, const std::regex& opening, const std::regex& closing) {
  std::vector<Span> spans;
  std::optional<Span> start = search(text, opening, 0), next = start;
  if (!start) return text;
  std::optional<Span> end = search(text, closing, start->second);
  int depth = 0;
  while (end) {
    next = search(text, opening, next->second);
    if (!next) {
      while (depth-- > 0) {
        const std::optional<Span> further = search(text, closing, end->second);
        if (!further) break;
        end = further;
      }
      spans.emplace_back(start->first, end->second);
      break;
    }
    bool counts = true;
    while (end && end->second < next->first) {
      if (depth > 0) {
        --depth;
        const std::size_t last = end->second;
        end = search(text, closing, last);
        if (!end) spans = {{spans.empty() ? start->first : spans[0].first, last}};
      } else {
        spans.emplace_back(start->first, end->second);
        start = next;
        end = search(text, closing, next->second);
        counts = false;
        break;
      }
    }
    if (counts) ++depth;
  }
  return without(text, spans);
}

std::string strip(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\n\v\f\r"), end = text.find_last_not_of(" \t\n\v\f\r");
  return begin == text.npos ? "" : text.substr(begin, end - begin + 1);
}

std::vector<Span> balanced_links(const std::string& text) {
  static const std::regex kBracket(R"(\[\[|\]\])");
  std::vector<Span> links;
  std::size_t depth = 0, begin = 0;
  for (const auto& [at, end] : search_all(text, kBracket)) {
    if (text[at] == '[' && depth++ == 0) begin = at;
    if (text[at] == ']' && depth > 0 && --depth == 0) links.emplace_back(begin, end);
  }
  return links;
}

std::string label_of(const std::string& inner) {
  const auto bar = inner.find('|');
  std::string title = inner, label = inner;
  if (bar != inner.npos) {
    title = inner.substr(0, bar);
    title.erase(title.find_last_not_of(" \t\n\v\f\r") + 1);
    std::size_t chosen = bar, cursor = bar + 1;
    for (const auto& [begin, end] : balanced_links(inner)) {
      for (std::size_t i = cursor; i < begin; ++i) chosen = inner[i] == '|' ? i : chosen;
      cursor = end;
    }
    label = strip(inner.substr(chosen + 1));
  }
  const auto is_kept = [](const std::string& prefix) {
    return prefix == "w" || prefix == "wiktionary" || prefix == "wikt";
  };
  const std::size_t colon = title.find(':'), second = colon == 0 ? title.find(':', 1) : title.npos;
  if (colon != title.npos && colon > 0 && !is_kept(title.substr(0, colon))) return "";
  if (second != title.npos && second > 1 && !is_kept(title.substr(1, second - 1))) return "";
  return label;
}

std::regex tag_pattern(const std::string& pattern) {
  return std::regex(pattern, std::regex::icase);
}

}  // namespace

std::string drop_templates(std::string text) {
  static const std::regex kOpening(R"(\{\{)"), kClosing(R"(\}\})");
  return drop_nested(text, kOpening, kClosing);
}

std::string drop_tables(std::string text) {
  static const std::regex kOpening(R"(\{\|)"), kClosing(R"(\|\})");
  return drop_nested(text, kOpening, kClosing);
}

std::string replace_quotes(std::string text) {
  static const std::array<std::pair<std::regex, const char*>, 5> kRules{{
      {std::regex("'''''([^\n]*?)'''''"), "$1"},
      {std::regex("'''([^\n]*?)'''"), "$1"},
      {std::regex("''\"([^\"]*)\"''"), "\"$1\""},
      {std::regex("''([^\n]*?)''"), "\"$1\""},
      {std::regex("\"\"([^\"]*)\"\""), "\"$1\""},
  }};
  for (const auto& [pattern, by] : kRules) text = std::regex_replace(text, pattern, by);
  return replace_each(replace_each(text, "'''", ""), "''", "\"");
}

std::string replace_internal_links(const std::string& text) {
  std::string result;
  std::size_t at = 0;
  for (const auto& [begin, end] : balanced_links(text)) {
    result += text.substr(at, begin - at) + label_of(text.substr(begin + 2, end - begin - 4));
    at = end;
  }
  return result + text.substr(at);
}

std::string replace_external_links(const std::string& text) {
  static const std::string kUrl = R"([^\]\[<>"\x01-\x20\x7F])";
  static const std::regex kLink(R"(\[()"
                                R"((?:bitcoin:|ftp://|ftps://|geo:|git://|gopher://|http://|https://|irc://|)"
                                R"(ircs://|magnet:|mailto:|mms://|news:|nntp://|redis://|sftp://|sip:|sips:|sms:|)"
                                R"(ssh://|svn://|tel:|telnet://|urn:|worldwind://|xmpp:|//))" +
                                    kUrl +
                                    R"(+)\s*((?:[^\]\[\x01-\x08\x0A-\x1F]|\[\[[^\]\[\x01-\x08\x0A-\x1F]*\]\])*?)\])",
                                std::regex::icase);
  static const std::regex kImage("https?://" + kUrl + "+/[^\\]\\[<>\"\\x01-\\x20\\x7F/]+\\.(gif|png|jpg|jpeg)",
                                 std::regex::icase);
  return replace_matches(text, kLink, [](const std::smatch& link) {
    return std::regex_match(link[2].str(), kImage) ? std::string() : link[2].str();
  });
}

std::string drop_switches(const std::string& text) {
  static const std::regex kSwitch(
      "__(NOTOC|FORCETOC|TOC|NEWSECTIONLINK|NONEWSECTIONLINK|NOGALLERY|HIDDENCAT|NOCONTENTCONVERT|NOCC|NOTITLECONVERT|"
      "NOTC|START|END|INDEX|NOINDEX|STATICREDIRECT|DISAMBIG)__");
  return std::regex_replace(text, kSwitch, "");
}

std::string unescape(const std::string& text) {
  static const std::regex kReference(R"(&(#?)(\w+);)");
  static const std::map<std::string, std::string> kCharacters{
      {"lt", "<"}, {"gt", ">"}, {"amp", "&"}, {"quot", "\""}, {"eacute", "\u00E9"}};
  return replace_matches(text, kReference, [](const std::smatch& reference) {
    const std::string word = reference[2];
    if (reference[1].length() == 0) {
      const auto found = kCharacters.find(word);
      return found == kCharacters.end() ? reference.str() : found->second;
    }
    static const std::regex kDecimal("[0-9]+(_[0-9]+)*"), kHexadecimal("x[0-9a-fA-F]+(_[0-9a-fA-F]+)*");
    const bool is_decimal = std::regex_match(word, kDecimal);
    if (!is_decimal && !std::regex_match(word, kHexadecimal)) return reference.str();
    double number = 0;
    for (const char c : is_decimal ? word : word.substr(1)) {
      if (c != '_') number = number * (is_decimal ? 10 : 16) + std::stoi(std::string(1, c), nullptr, 16);
    }
    const bool is_surrogate = number >= 0xD800 && number <= 0xDFFF;
    if (number == 0 || number > 0x10FFFF || is_surrogate) return reference.str();
    std::string character;
    unicode::append_utf8(static_cast<char32_t>(number), character);
    return character;
  });
}

std::string unescape_around_code(const std::string& text) {
  static const std::regex kCode(R"(&lt;syntaxhighlight [\s\S]*?&gt;([\s\S]*?)&lt;/syntaxhighlight&gt;)");
  std::string result;
  std::size_t at = 0;
  for (const auto& [begin, end] : search_all(text, kCode)) {
    std::smatch code;
    const std::string whole = text.substr(begin, end - begin);
    std::regex_match(whole, code, kCode);
    result += unescape(text.substr(at, begin - at)) + code[1].str();
    at = end;
  }
  return result + unescape(text.substr(at));
}

std::string drop_spans(const std::string& text) {
  if (text.find('<') == text.npos) return text;
  static const std::vector<std::regex> kPatterns = [] {
    std::vector<std::regex> patterns{std::regex(R"(<!--[\s\S]*?-->)")};
    for (const char* name : {"br", "hr", "nobr", "ref", "references", "nowiki"}) {
      patterns.push_back(tag_pattern(std::string(R"(<\s*)") + name + R"(\b[^>]*/\s*>)"));
    }
    for (const char* name :
         {"abbr", "b",   "big", "blockquote", "center", "cite", "em",     "font",   "h1", "h2", "h3",  "h4", "hiero",
          "i",    "kbd", "p",   "plaintext",  "s",      "span", "strike", "strong", "tt", "u",  "var", "a"}) {
      patterns.push_back(tag_pattern(std::string("<") + name + R"(\b[^>]*>)"));
      patterns.push_back(tag_pattern(std::string(R"(</\s*)") + name + ">"));
    }
    return patterns;
  }();
  std::vector<Span> spans;
  for (const std::regex& pattern : kPatterns) {
    for (const Span& span : search_all(text, pattern)) spans.push_back(span);
  }
  return without(text, spans);
}

std::string drop_elements(std::string text) {
  if (text.find('<') == text.npos) return text;
  static const std::vector<std::pair<std::regex, std::regex>> kElements = [] {
    std::vector<std::pair<std::regex, std::regex>> elements;
    for (const char* name :
         {"gallery",    "timeline", "noinclude", "pre",    "table",  "tr",     "td",       "th",
          "caption",    "div",      "form",      "input",  "select", "option", "textarea", "ul",
          "li",         "ol",       "dl",        "dt",     "dd",     "menu",   "dir",      "ref",
          "references", "img",      "imagemap",  "source", "small",  "sub",    "sup",      "indicator"}) {
      elements.emplace_back(tag_pattern(std::string(R"(<\s*)") + name + R"(\b[^>/]*>)"),
                            tag_pattern(std::string(R"(<\s*/\s*)") + name + ">"));
    }
    return elements;
  }();
  for (const auto& [opening, closing] : kElements) text = drop_nested(text, opening, closing);
  return text;
}

std::string replace_placeholders(std::string text) {
  for (const auto& [name, placeholder] : {std::pair("math", "formula_"), std::pair("code", "codice_")}) {
    const std::string tag = name;
    const std::regex element = tag_pattern(R"(<\s*)" + tag + R"((\s*| [^>]+?)>[\s\S]*?<\s*/\s*)" + tag + R"(\s*>)");
    const std::string before = text;
    int number = 0;
    for (const auto& [begin, end] : search_all(before, element)) {
      text = replace_each(text, before.substr(begin, end - begin), placeholder + std::to_string(++number));
    }
  }
  return text;
}

std::string shorten_runs(std::string text) {
  static const std::regex kBlanks(" {2,}"), kDots(R"(\.{4,})");
  text = replace_each(replace_each(replace_each(text, "<<", "\u00AB"), ">>", "\u00BB"), "\t", " ");
  return std::regex_replace(std::regex_replace(text, kBlanks, " "), kDots, "...");
}

std::string close_up_brackets(std::string text) {
  return replace_each(replace_each(text, " ,:.)]\u00BB", ",:.)]\u00BB"), "[(\u00AB ", "[(\u00AB");
}

std::string drop_nonword_lines(const std::string& text) {
  static const std::regex kLine(R"(\n\W+?\n)");
  return std::regex_replace(text, kLine, "\n");
}

std::string shorten_commas(std::string text) {
  static const std::regex kTwo(",,"), kDot(R"(,\.)");
  return std::regex_replace(std::regex_replace(text, kTwo, ","), kDot, ".");
}

std::string filter_lines(const std::string& text) {
  std::vector<std::string> kept;
  bool heading = false, list = false;
  std::size_t begin = 0;
  for (bool is_last = false; !is_last;) {
    const std::size_t end = text.find('\n', begin);
    is_last = end == text.npos;
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.empty()) {
      if (list || (!kept.empty() && !kept.back().empty())) kept.emplace_back();
      list = false;
    } else if (line.substr(0, 2) == "==" && line.find("==", 2) != line.npos) {
      heading = true;
      list = false;
    } else if (line.substr(0, 2) == "++") {
      const std::string inner = line.size() > 4 ? line.substr(2, line.size() - 4) : "";
      if (!inner.empty()) kept.push_back(inner + (inner.back() == '!' || inner.back() == '?' ? "" : "."));
    } else if (line[0] == ':') {
      continue;
    } else if (line[0] == '*' || line[0] == '#' || line[0] == ';') {
      list = true;
    } else if (list) {
      list = false;
      kept.push_back(line);
    } else if (line[0] == '{' || line[0] == '|' || line.back() == '}') {
      continue;
    } else if ((line[0] == '(' && line.back() == ')') || line.find_first_not_of(".-") == line.npos) {
      continue;
    } else if (heading || line[0] != ' ') {
      heading = false;
      kept.push_back(line);
    }
  }
  std::string lines;
  for (const std::string& line : kept) lines += line + "\n";
  return lines;
}

std::string lines_of(std::string text) {
  text = drop_tables(drop_templates(drop_templates(text)));
  text = replace_external_links(replace_internal_links(replace_quotes(text)));
  text = drop_spans(unescape_around_code(drop_switches(text)));
  text = replace_placeholders(unescape(drop_elements(text)));
  text = drop_nonword_lines(close_up_brackets(shorten_runs(text)));
  return filter_lines(shorten_commas(text));
}

}  // namespace bertprep::test::plain_markup
