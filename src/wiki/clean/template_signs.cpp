#include <array>

#include "wiki/clean/markup/chars.h"
#include "wiki/clean/templates.h"

namespace bertprep::clean {
namespace {

void write_sign(TemplateCall& /*call*/, std::string_view detail, std::string& out) {
  out.append(detail);
}

// {{bracket|x}}: "[x]"
void write_in_brackets(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  if (!call.at(1).empty()) out.append("&#91;").append(call.at(1)).append("&#93;");
}

// {{BCE|563–483}}: "563–483 BCE"
void write_before_era(TemplateCall& call, std::string_view detail, std::string& out) {
  out.append(call.at(1)).append(call.at(1).empty() ? "" : " ").append(detail);
}

// {{music|flat}}
void write_music(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string kind = normal_name(call.at(1));
  if (kind == "flat" || kind == "b" || kind == "♭") {
    out.append("♭");
  } else if (kind == "sharp" || kind == "#" || kind == "♯") {
    out.append("♯");
  } else if (kind == "natural" || kind == "♮") {
    out.append("♮");
  } else if (kind == "time") {
    out.append(call.at(2)).append("/").append(call.at(3));
  } else if (is_ascii_digit(kind.empty() ? ' ' : kind[0])) {
    out.append(kind);
  }
}

constexpr std::array kSignTemplates = std::to_array<TemplateEntry>({
    {"ndash", write_sign, "–"},
    {"en dash", write_sign, "–"},
    {"endash", write_sign, "–"},
    {"nsndns", write_sign, "–"},
    {"–", write_sign, "–"},
    {"mdash", write_sign, "—"},
    {"mdashb", write_sign, "—"},
    {"em dash", write_sign, "—"},
    {"emdash", write_sign, "—"},
    {"—", write_sign, "—"},
    {"snd", write_sign, " – "},
    {"spnd", write_sign, " – "},
    {"spndash", write_sign, " – "},
    {"sndash", write_sign, " – "},
    {"spaced ndash", write_sign, " – "},
    {"spaced en dash", write_sign, " – "},
    {"spaced endash", write_sign, " – "},
    {"dash", write_sign, " – "},
    {"nbspndash", write_sign, " – "},
    {"nbndash", write_sign, " – "},
    {"smd", write_sign, " — "},
    {"spaced mdash", write_sign, " — "},
    {"spaced em dash", write_sign, " — "},
    {"spmd", write_sign, " — "},
    {"nbsp", write_sign, " ", "1 2"},
    {"space", write_sign, " ", "1 2"},
    {"spaces", write_sign, " ", "1 2"},
    {"spc", write_sign, " ", "1 2"},
    {"thinsp", write_sign, " ", "1 2"},
    {"thin space", write_sign, " ", "1 2"},
    {"hairsp", write_sign, " ", "1 2"},
    {"hair space", write_sign, " ", "1 2"},
    {"en space", write_sign, " ", "1 2"},
    {"ensp", write_sign, " ", "1 2"},
    {"em space", write_sign, " ", "1 2"},
    {"emsp", write_sign, " ", "1 2"},
    {"figure space", write_sign, " "},
    {"esd", write_sign, " "},
    {"dot", write_sign, " · "},
    {"middot", write_sign, " · "},
    {"·", write_sign, " · "},
    {"bull", write_sign, " • "},
    {"bullet", write_sign, " • "},
    {"•", write_sign, " • "},
    {"!", write_sign, "|"},
    {"=", write_sign, "="},
    {"equals", write_sign, "="},
    {"(", write_sign, "&#123;"},
    {")", write_sign, "&#125;"},
    {"[", write_sign, "&#91;"},
    {"]", write_sign, "&#93;"},
    {"bracket", write_in_brackets},
    {"'", write_sign, "&#39;"},
    {"'s", write_sign, "&#39;s"},
    {"-'", write_sign, "&#39;"},
    {"`", write_sign, "&#39;"},
    {"' \"", write_sign, "&#39; &quot;"},
    {"'\"", write_sign, "&#39;&quot;"},
    {"\"'", write_sign, "&quot;&#39;"},
    {"\" '", write_sign, "&quot; &#39;"},
    {"apostrophe", write_sign, "&#39;"},
    {"hyphen", write_sign, "-"},
    {"minus", write_sign, "−"},
    {"times", write_sign, "×"},
    {"x mark", write_sign, "✗"},
    {"plusmn", write_sign, "±"},
    {"+-", write_sign, "±"},
    {"pi", write_sign, "π"},
    {"phi", write_sign, "φ"},
    {"asterisk", write_sign, "*"},
    {"*", write_sign, "*"},
    {"number sign", write_sign, "#"},
    {"degree", write_sign, "°"},
    {"prime", write_sign, "′"},
    {"okina", write_sign, "ʻ"},
    {"hamza", write_sign, "ʾ"},
    {"ayin", write_sign, "ʿ"},
    {"ain", write_sign, "ʿ"},
    {"asper", write_sign, "ʽ"},
    {"sharp", write_sign, "♯"},
    {"flat", write_sign, "♭"},
    {"natural", write_sign, "♮"},
    {"music", write_music},
    {"tex", write_sign, "TeX"},
    {"latex", write_sign, "LaTeX"},
    {"e-sp", write_sign, "ə"},
    {"m s.l.m.", write_sign, "m s.l.m."},
    {"indian rupee symbol", write_sign, "₹"},
    {"inr symbol", write_sign, "₹"},
    {"-\"", write_sign, "&quot;"},
    {"hydrogen", write_sign, "H"},
    {"carbon", write_sign, "C"},
    {"oxygen", write_sign, "O"},
    {"nitrogen", write_sign, "N"},
    {"sulfur", write_sign, "S"},
    {"phosphorus", write_sign, "P"},
    {"chlorine", write_sign, "Cl"},
    {"sodium", write_sign, "Na"},
    {"potassium", write_sign, "K"},
    {"calcium", write_sign, "Ca"},
    {"iron", write_sign, "Fe"},
    {"silicon", write_sign, "Si"},
    {"fluorine", write_sign, "F"},
    {"magnesium", write_sign, "Mg"},
    {"bce", write_before_era, "BCE"},
    {"n°", write_sign, "n° "},
    {"av. j.-c.", write_sign, "av. J.-C."},
    {"av jc", write_sign, "av. J.-C."},
    {"ap. j.-c.", write_sign, "apr. J.-C."},
});

}  // namespace

std::span<const TemplateEntry> sign_templates() {
  return kSignTemplates;
}

}  // namespace bertprep::clean
