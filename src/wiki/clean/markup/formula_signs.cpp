#include "wiki/clean/markup/formula_signs.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "wiki/clean/markup/embedded.h"

namespace bertprep::clean {
namespace {

using Sign = std::pair<std::string_view, std::string_view>;
using Table = std::unordered_map<std::string_view, std::string_view>;

std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(" \n"));
  text.remove_prefix(word.size());
  return word;
}

// `_` stands for a blank.
Table read_signs() {
  Table table;
  std::string_view rest = embedded::kFormulaSigns;
  for (std::string_view name = next_word(rest); !name.empty(); name = next_word(rest)) table[name] = next_word(rest);
  return table;
}

// Combining marks. \vec and the like are known over one letter only.
constexpr std::array kAccents = std::to_array<Sign>({
    {"acute", "\u0301"},
    {"bar", "\u0304"},
    {"breve", "\u0306"},
    {"check", "\u030C"},
    {"dddot", "\u20DB"},
    {"ddot", "\u0308"},
    {"dot", "\u0307"},
    {"grave", "\u0300"},
    {"hat", "\u0302"},
    {"mathring", "\u030A"},
    {"overline", "\u0305"},
    {"overrightarrow", "\u20D7"},
    {"tilde", "\u0303"},
    {"underline", "\u0332"},
    {"vec", "\u20D7"},
    {"widehat", "\u0302"},
    {"widetilde", "\u0303"},
});

constexpr std::array kShapes = std::to_array<std::string_view>({
    "Big",          "Bigg",      "Biggl",      "Biggr",      "Bigl",
    "Bigm",         "Bigr",      "bf",         "big",        "bigg",
    "biggl",        "biggr",     "bigl",       "bigm",       "bigr",
    "bm",           "bold",      "boldsymbol", "cal",        "ce",
    "displaystyle", "emph",      "hbox",       "it",         "left",
    "limits",       "mathbb",    "mathbf",     "mathbin",    "mathcal",
    "mathclose",    "mathfrak",  "mathit",     "mathnormal", "mathop",
    "mathopen",     "mathord",   "mathrel",    "mathrm",     "mathscr",
    "mathsf",       "mathstrut", "mathtt",     "mbox",       "middle",
    "nolimits",     "pmb",       "right",      "rm",         "scriptscriptstyle",
    "scriptstyle",  "strut",     "text",       "textbf",     "textit",
    "textnormal",   "textrm",    "textsf",     "textstyle",  "texttt",
});
static_assert(std::is_sorted(kShapes.begin(), kShapes.end()));

}  // namespace

std::string_view sign_of(std::string_view command) {
  static const Table kTable = read_signs();
  const auto found = kTable.find(command);
  return found == kTable.end() ? std::string_view() : found->second;
}

std::string_view accent_of(std::string_view command) {
  const auto found =
      std::find_if(kAccents.begin(), kAccents.end(), [&](const Sign& accent) { return accent.first == command; });
  return found == kAccents.end() ? std::string_view() : found->second;
}

bool only_shapes(std::string_view command) {
  return std::binary_search(kShapes.begin(), kShapes.end(), command);
}

}  // namespace bertprep::clean
