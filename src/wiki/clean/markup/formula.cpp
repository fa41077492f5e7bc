#include "wiki/clean/markup/formula.h"

#include <algorithm>
#include <array>
#include <utility>

#include "wiki/clean/markup/chars.h"

namespace bertprep::clean {
namespace {

constexpr std::size_t kLongestFormula = 160;
constexpr int kDeepest = 8;

using Sign = std::pair<std::string_view, std::string_view>;

constexpr std::array kSigns = std::to_array<Sign>({
    {"alpha", "α"},
    {"arccos", "arccos"},
    {"arcsin", "arcsin"},
    {"arctan", "arctan"},
    {"arg", "arg"},
    {"approx", "≈"},
    {"ast", "*"},
    {"beta", "β"},
    {"bullet", "•"},
    {"cap", "∩"},
    {"cdot", "·"},
    {"cdots", "..."},
    {"chi", "χ"},
    {"circ", "°"},
    {"cong", "≅"},
    {"cos", "cos"},
    {"cosh", "cosh"},
    {"cot", "cot"},
    {"cup", "∪"},
    {"deg", "deg"},
    {"delta", "δ"},
    {"Delta", "Δ"},
    {"det", "det"},
    {"dim", "dim"},
    {"div", "÷"},
    {"dots", "..."},
    {"ell", "ℓ"},
    {"emptyset", "∅"},
    {"epsilon", "ε"},
    {"equiv", "≡"},
    {"eta", "η"},
    {"exists", "∃"},
    {"exp", "exp"},
    {"forall", "∀"},
    {"gamma", "γ"},
    {"Gamma", "Γ"},
    {"ge", "≥"},
    {"geq", "≥"},
    {"gg", "≫"},
    {"hbar", "ħ"},
    {"Im", "Im"},
    {"in", "∈"},
    {"infty", "∞"},
    {"inf", "inf"},
    {"int", "∫"},
    {"iota", "ι"},
    {"kappa", "κ"},
    {"ker", "ker"},
    {"lambda", "λ"},
    {"Lambda", "Λ"},
    {"land", "∧"},
    {"langle", "⟨"},
    {"ldots", "..."},
    {"le", "≤"},
    {"leftarrow", "←"},
    {"leq", "≤"},
    {"lim", "lim"},
    {"ll", "≪"},
    {"ln", "ln"},
    {"lnot", "¬"},
    {"log", "log"},
    {"lor", "∨"},
    {"mapsto", "↦"},
    {"max", "max"},
    {"min", "min"},
    {"mod", "mod"},
    {"mp", "∓"},
    {"mu", "μ"},
    {"nabla", "∇"},
    {"ne", "≠"},
    {"neg", "¬"},
    {"neq", "≠"},
    {"not", "¬"},
    {"notin", "∉"},
    {"nu", "ν"},
    {"omega", "ω"},
    {"Omega", "Ω"},
    {"oplus", "⊕"},
    {"otimes", "⊗"},
    {"partial", "∂"},
    {"perp", "⊥"},
    {"phi", "φ"},
    {"Phi", "Φ"},
    {"pi", "π"},
    {"Pi", "Π"},
    {"pm", "±"},
    {"prime", "′"},
    {"prod", "∏"},
    {"propto", "∝"},
    {"psi", "ψ"},
    {"Psi", "Ψ"},
    {"qquad", " "},
    {"quad", " "},
    {"rangle", "⟩"},
    {"Re", "Re"},
    {"rho", "ρ"},
    {"rightarrow", "→"},
    {"Rightarrow", "⇒"},
    {"setminus", "∖"},
    {"sigma", "σ"},
    {"Sigma", "Σ"},
    {"sim", "∼"},
    {"simeq", "≃"},
    {"sin", "sin"},
    {"sinh", "sinh"},
    {"subset", "⊂"},
    {"subseteq", "⊆"},
    {"sum", "∑"},
    {"sup", "sup"},
    {"tan", "tan"},
    {"tanh", "tanh"},
    {"tau", "τ"},
    {"theta", "θ"},
    {"Theta", "Θ"},
    {"times", "×"},
    {"to", "→"},
    {"upsilon", "υ"},
    {"varepsilon", "ε"},
    {"varphi", "φ"},
    {"vartheta", "ϑ"},
    {"vee", "∨"},
    {"wedge", "∧"},
    {"xi", "ξ"},
    {"Xi", "Ξ"},
    {"zeta", "ζ"},
    {"lbrace", "{"},
    {"rbrace", "}"},
    {"leftrightarrow", "↔"},
    {"Leftrightarrow", "⇔"},
    {"longrightarrow", "→"},
    {"aleph", "ℵ"},
    {"vdash", "⊢"},
    {"models", "⊨"},
    {"top", "⊤"},
    {"bot", "⊥"},
    {"implies", "⇒"},
    {"iff", "⇔"},
    {"gcd", "gcd"},
    {"colon", ":"},
    {"mid", "∣"},
    {"cdotp", "·"},
    {"star", "⋆"},
});

// Commands that only shape what they are put before.
constexpr std::array<std::string_view, 33> kShapes = {
    "mathrm",     "mathbf", "mathit", "mathbb",       "mathcal", "mathsf", "mathfrak",     "mathscr",   "text",
    "textrm",     "textbf", "textit", "operatorname", "rm",      "bf",     "it",           "left",      "right",
    "big",        "Big",    "bigl",   "bigr",         "Bigl",    "Bigr",   "displaystyle", "textstyle", "scriptstyle",
    "boldsymbol", "mbox",   "limits", "ce",           "vec",     "mathop"};

class FormulaWriter {
 public:
  explicit FormulaWriter(std::string_view tex) : tex_(tex) {}

  // Up to the end, or past the `}` of a group.
  bool write_group(std::string& out, int depth) {
    if (depth > kDeepest) return false;
    while (at_ < tex_.size() && tex_[at_] != '}') {
      if (!write_one(out, depth)) return false;
    }
    if (at_ < tex_.size()) ++at_;
    return true;
  }

  bool at_end() const { return at_ >= tex_.size(); }

 private:
  bool write_one(std::string& out, int depth) {
    const char byte = tex_[at_++];
    if (byte == '\\') return write_command(out, depth);
    if (byte == '{') return write_group(out, depth + 1);
    if (byte == '^' || byte == '_') return write_script(out, byte, depth);
    if (byte == '&' || byte == '|') return byte == '|' && put(out, byte);
    return put(out, byte == '~' || byte == '\n' || byte == '\t' ? ' ' : byte);
  }

  static bool put(std::string& out, char byte) {
    out.push_back(byte);
    return true;
  }

  bool write_argument(std::string& out, int depth) {
    while (at_ < tex_.size() && tex_[at_] == ' ') ++at_;
    return at_ < tex_.size() && tex_[at_] != '}' && write_one(out, depth + 1);
  }

  bool write_script(std::string& out, char sign, int depth) {
    std::string script;
    if (!write_argument(script, depth)) return false;
    if (script == "°" || script == "′" || script == "*") {
      out.append(script);
    } else {
      const bool is_simple = std::all_of(script.begin(), script.end(), [](char byte) { return is_word_byte(byte); });
      const bool is_signed = script.size() > 1 && (script[0] == '-' || script[0] == '+') &&
                             std::all_of(script.begin() + 1, script.end(), [](char b) { return is_word_byte(b); });
      out.push_back(sign);
      out.append(is_simple || is_signed ? script : "(" + script + ")");
    }
    return true;
  }

  static std::string grouped(const std::string& text) {
    const bool is_simple = std::all_of(text.begin(), text.end(), [](char b) { return is_word_byte(b) || b == '.'; });
    return is_simple ? text : "(" + text + ")";
  }

  bool write_fraction(std::string& out, int depth) {
    std::string above;
    std::string below;
    if (!write_argument(above, depth) || !write_argument(below, depth)) return false;
    out.append(grouped(above)).append("/").append(grouped(below));
    return true;
  }

  bool write_root(std::string& out, int depth) {
    std::string inside;
    if (at_ < tex_.size() && tex_[at_] == '[') return false;
    if (!write_argument(inside, depth)) return false;
    out.append("√").append(grouped(inside));
    return true;
  }

  bool write_command(std::string& out, int depth) {
    if (at_ >= tex_.size()) return false;
    if (!is_ascii_letter(tex_[at_])) {
      const char byte = tex_[at_++];
      if (byte == '\\' || byte == '|') return false;
      return byte == '!' || put(out, byte == ',' || byte == ';' || byte == ':' ? ' ' : byte);
    }
    const std::size_t begin = at_;
    while (at_ < tex_.size() && is_ascii_letter(tex_[at_])) ++at_;
    const std::string_view name = tex_.substr(begin, at_ - begin);
    if (name == "frac" || name == "tfrac" || name == "dfrac") return write_fraction(out, depth);
    if (name == "sqrt") return write_root(out, depth);
    if (std::find(kShapes.begin(), kShapes.end(), name) != kShapes.end()) return skip_dot(name);
    const auto sign = std::find_if(kSigns.begin(), kSigns.end(), [&](const Sign& s) { return s.first == name; });
    if (sign == kSigns.end()) return false;
    out.append(sign->second);
    // "log x", but "log_10 x" and "log(x)".
    const char next = at_ < tex_.size() ? tex_[at_] : ' ';
    if (is_ascii_letter(sign->second.front()) && next != '_' && next != '^' && next != '(') out.push_back(' ');
    return true;
  }

  // \left. and \right. are brackets that are not there.
  bool skip_dot(std::string_view name) {
    if ((name == "left" || name == "right") && at_ < tex_.size() && tex_[at_] == '.') ++at_;
    return true;
  }

  std::string_view tex_;
  std::size_t at_ = 0;
};

}  // namespace

bool write_formula(std::string_view tex, std::string& text) {
  text.clear();
  tex = trim(tex);
  if (tex.size() > kLongestFormula) return false;
  FormulaWriter writer(tex);
  if (!writer.write_group(text, 0) || !writer.at_end()) return false;
  while (text.ends_with('.') || text.ends_with(',') || text.ends_with(' ')) text.pop_back();
  return !text.empty();
}

}  // namespace bertprep::clean
