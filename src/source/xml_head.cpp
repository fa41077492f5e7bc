#include "source/xml_head.h"

#include <algorithm>
#include <array>

#include "io/strip.h"

namespace bertprep {
namespace {

char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// `wanted` is in lower case; upper and lower case alike.
bool starts_with_word(std::string_view text, std::string_view wanted) {
  return text.size() >= wanted.size() && std::equal(wanted.begin(), wanted.end(), text.begin(),
                                                    [](char want, char found) { return want == ascii_lower(found); });
}

// What begins with `begin` and ends with `end` is taken off the front.
bool skip(std::string_view& text, std::string_view begin, std::string_view end) {
  if (!starts_with_word(text, begin)) return false;
  const std::size_t stop = text.find(end, begin.size());
  text = strip(stop == std::string_view::npos ? std::string_view{} : text.substr(stop + end.size()));
  return true;
}

struct Prolog {
  bool is_there = false;
  bool is_html = false;  // the document type says so
};

// Declaration, comments and document type in front of the root.
Prolog skip_prolog(std::string_view& text) {
  Prolog prolog;
  for (bool has_more = true; has_more;) {
    prolog.is_html = prolog.is_html || starts_with_word(text, "<!doctype html");
    has_more = skip(text, "<?", "?>") || skip(text, "<!--", "-->") || skip(text, "<!doctype", ">");
    prolog.is_there = prolog.is_there || has_more;
  }
  return prolog;
}

// The name of the element whose tag the text begins with.
std::string_view root_of(std::string_view text) {
  if (!text.starts_with('<')) return {};
  text.remove_prefix(1);
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == ':';
  };
  const auto end = std::find_if_not(text.begin(), text.end(), is_part);
  const bool is_tag = end == text.end() || *end == '>' || *end == '/' || strip(std::string_view(&*end, 1)).empty();
  return is_tag ? text.substr(0, static_cast<std::size_t>(end - text.begin())) : std::string_view{};
}

template <std::size_t n>
bool is_one_of(std::string_view root, const std::array<std::string_view, n>& names) {
  return std::any_of(names.begin(), names.end(),
                     [&](auto name) { return root.size() == name.size() && starts_with_word(root, name); });
}

}  // namespace

std::optional<XmlHead> xml_head_of(std::string_view text) {
  constexpr std::array<std::string_view, 5> kHtml = {"html", "head", "body", "title", "meta"};
  constexpr std::array<std::string_view, 4> kOthers = {"doc", "feed", "rss", "tei"};
  const Prolog prolog = skip_prolog(text);
  const std::string_view root = root_of(text);
  if (root == "mediawiki" || root == "page") return XmlHead{"mediawiki", std::string(root)};
  if (text.starts_with("<doc id=")) return XmlHead{"wikiextractor", std::string(root)};
  if (prolog.is_html || is_one_of(root, kHtml)) return XmlHead{"", std::string(root), true};
  if (prolog.is_there || is_one_of(root, kOthers)) return XmlHead{"", std::string(root)};
  return std::nullopt;
}

}  // namespace bertprep
