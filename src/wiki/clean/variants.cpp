#include "wiki/clean/variants.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "wiki/clean/markup/chars.h"

namespace bertprep::clean {
namespace {

struct Converter {
  std::string_view language;
  std::string_view codes;  // of its variants, each between blanks
};

constexpr std::array<Converter, 18> kConverters{{
    {"ban", " ban ban-bali ban-x-dharma ban-x-palmleaf ban-x-pku "},
    {"crh", " crh crh-cyrl crh-latn "},
    {"gan", " gan gan-hans gan-hant "},
    {"iu", " iu ike-cans ike-latn "},
    {"kk", " kk kk-cyrl kk-latn kk-arab kk-kz kk-tr kk-cn "},
    {"ku", " ku ku-arab ku-latn "},
    {"mni", " mni mni-beng "},
    {"sh", " sh sh-cyrl sh-latn "},
    {"shi", " shi shi-tfng shi-latn "},
    {"sr", " sr sr-ec sr-el sr-cyrl sr-latn "},
    {"tg", " tg tg-latn "},
    {"tly", " tly tly-cyrl "},
    {"tt", " tt tt-cyrl tt-latn "},
    {"ug", " ug ug-arab ug-latn "},
    {"uz", " uz uz-cyrl uz-latn "},
    {"wuu", " wuu wuu-hans wuu-hant "},
    {"zgh", " zgh zgh-latn "},
    {"zh", " zh zh-hans zh-hant zh-cn zh-hk zh-mo zh-my zh-sg zh-tw "},
}};

constexpr std::pair<std::string_view, std::string_view> kNames[] = {
    {"zh", "中文"},
    {"zh-hans", "中文（简体）"},
    {"zh-hant", "中文（繁體）"},
    {"zh-cn", "中文（中国大陆）"},
    {"zh-hk", "中文（香港）"},
    {"zh-mo", "中文（澳門）"},
    {"zh-my", "中文（马来西亚）"},
    {"zh-sg", "中文（新加坡）"},
    {"zh-tw", "中文（臺灣）"},
};

constexpr std::string_view kOpening = "-{";
constexpr std::string_view kClosing = "}-";
constexpr std::string_view kArrow = "=>";

class Resolver {
 public:
  explicit Resolver(std::string_view codes) : codes_(codes) {}

  // Inner ones are replaced before outer ones.
  void resolve(std::string& text) {
    std::string out;
    std::vector<std::size_t> openings;  // in `out`
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t next = next_sign(text, at);
      out.append(text, at, next - at);
      if (next == text.size()) break;
      at = next + kOpening.size();
      if (text.compare(next, kOpening.size(), kOpening) == 0) {
        openings.push_back(out.size());
        out += kOpening;
      } else if (openings.empty()) {
        out += kClosing;
      } else {
        const std::string shown(shown_of(std::string_view(out).substr(openings.back() + kOpening.size())));
        out.resize(openings.back());
        out += shown;
        openings.pop_back();
      }
    }
    text.swap(out);
  }

 private:
  static std::size_t next_sign(std::string_view text, std::size_t at) {
    for (; (at = text.find_first_of("-}", at)) != std::string_view::npos; ++at) {
      const std::string_view sign = text.substr(at, 2);
      if (sign == kOpening || sign == kClosing) return at;
    }
    return text.size();
  }

  bool is_code(std::string_view text) const {
    if (text.empty() || text.find(' ') != std::string_view::npos) return false;
    const std::size_t at = codes_.find(text);
    return at != std::string_view::npos && codes_[at - 1] == ' ' && codes_[at + text.size()] == ' ';
  }

  std::string_view shown_of(std::string_view inside) const {
    const std::size_t bar = inside.find('|');
    if (bar == std::string_view::npos) return text_of(inside);
    const std::string_view rules = inside.substr(bar + 1);
    std::string flags;
    bool has_code = false;
    for (std::string_view rest = inside.substr(0, bar); !rest.empty();) {
      const std::string_view flag = trim(rest.substr(0, rest.find(';')));
      rest.remove_prefix(std::min(rest.find(';'), rest.size() - 1) + 1);
      if (flag.size() == 1 && std::string_view("S+ATRD-HN").find(flag) != std::string_view::npos) flags += flag;
      has_code = has_code || is_code(flag);
    }
    const auto has = [&](char flag) { return flags.find(flag) != std::string::npos; };
    if (has('R') || (flags.empty() && has_code)) return rules;
    if (has('N')) return name_of(trim(rules));
    if (has('-') || has('H') || has('D') || flags == "T" || flags == "+") return {};
    return text_of(rules);
  }

  static std::string_view name_of(std::string_view code) {
    for (const auto& [known, name] : kNames) {
      if (known == code) return name;
    }
    return {};
  }

  // What follows "code:", with or without "from =>" before it; nothing if `rule` has no code.
  std::optional<std::string_view> text_of_rule(std::string_view rule) const {
    if (const std::size_t arrow = rule.find(kArrow); arrow != std::string_view::npos) {
      rule.remove_prefix(arrow + kArrow.size());
    }
    const std::size_t colon = rule.find(':');
    if (colon == std::string_view::npos || !is_code(trim(rule.substr(0, colon)))) return std::nullopt;
    return trim(rule.substr(colon + 1));
  }

  // The text of the first variant; all of another text. A semicolon within a text parts nothing.
  std::string_view text_of(std::string_view rules) const {
    std::size_t end = rules.find(';');
    while (end != std::string_view::npos) {
      const std::string_view rest = rules.substr(end + 1);
      if (trim(rest).empty() || text_of_rule(rest.substr(0, rest.find(';')))) break;
      end = rules.find(';', end + 1);
    }
    const auto first = text_of_rule(rules.substr(0, end));
    return first ? *first : rules;
  }

  std::string_view codes_;
};

}  // namespace

void resolve_variants(std::string& text, std::string_view language) {
  if (text.find(kOpening) == std::string::npos) return;
  const auto* const converter = std::ranges::find(kConverters, language, &Converter::language);
  if (converter != kConverters.end()) Resolver(converter->codes).resolve(text);
}

}  // namespace bertprep::clean
