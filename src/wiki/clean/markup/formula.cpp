#include "wiki/clean/markup/formula.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "unicode/properties/mappings.h"
#include "unicode/properties/properties.h"
#include "wiki/clean/markup/chars.h"
#include "wiki/clean/markup/embedded.h"

namespace bertprep::clean {
namespace {

constexpr std::string_view kAccent = "◌";
constexpr std::string_view kShape = "{}";

std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(" \n"));
  text.remove_prefix(word.size());
  return word;
}

// What a command shows, `_` for a blank: "α" of alpha, "sin" of sin; kAccent and a combining mark; kShape if it only
// shapes what it is put before: mathrm, left. Empty: not known.
std::string_view sign_of(std::string_view command) {
  static const auto kSigns = [] {
    std::unordered_map<std::string_view, std::string_view> signs;
    std::string_view rest = embedded::kFormulaSigns;
    for (std::string_view name = next_word(rest); !name.empty(); name = next_word(rest)) signs[name] = next_word(rest);
    return signs;
  }();
  const auto found = kSigns.find(command);
  return found == kSigns.end() ? std::string_view() : found->second;
}

// The combining mark that follows what the command is put before; empty: no accent. \vec and the like are known over
// one letter only.
std::string_view accent_of(std::string_view command) {
  const std::string_view sign = sign_of(command);
  return sign.starts_with(kAccent) ? sign.substr(kAccent.size()) : std::string_view();
}

bool only_shapes(std::string_view command) {
  return sign_of(command) == kShape;
}

// Terms side by side: brackets and blanks stand where one would take a part of another.

// What a line ends with, as far as it matters to what follows: 1/2 before x must become (1/2)x.
enum class Tail { kPlain, kFraction, kRoot, kScript, kWord };

struct Line {
  std::string text;
  Tail tail = Tail::kPlain;
  std::size_t tail_begin = 0;

  bool is_fraction() const { return tail == Tail::kFraction && tail_begin == 0; }
};

Line plain(std::string_view text) {
  return {std::string(text), Tail::kPlain, 0};
}

bool is_digit(char32_t c) {
  return unicode::is_decimal_digit(c);
}

// With combining marks.
bool is_letter_or_digit(char32_t c) {
  return c != '_' && (unicode::is_word_not_digit(c) || is_digit(c) || unicode::is_nonspacing_mark(c));
}

// Letters and digits, which need no brackets; `is_strict`: unless a letter follows a digit, as in 1/(2π).
bool is_simple(std::string_view text, bool is_strict) {
  char32_t before = U' ';
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) {
    const auto [c, bytes] = unicode::code_point_at(text, at);
    at += bytes;
    const bool is_mixed = is_strict && is_digit(before) && !is_digit(c) && c != '.';
    if (is_mixed || !(is_letter_or_digit(c) || c == '.' || c == U'′')) return at == text.size() && count == 0;
    before = c;
  }
  return true;
}

// In brackets unless simple.
std::string grouped(std::string_view text, bool is_strict) {
  return is_simple(text, is_strict) ? std::string(text) : "(" + std::string(text) + ")";
}

char32_t first_of(std::string_view text) {
  return text.empty() ? U' ' : unicode::code_point_at(text, 0).value;
}

char32_t last_of(std::string_view text) {
  return text.empty() ? U' ' : unicode::code_point_before(text, text.size()).value;
}

// Whether what begins with `c` is a factor of what stands before it.
bool begins_factor(char32_t c) {
  return is_letter_or_digit(c) || std::u32string_view(U"([{√∛∜∑∏∫∬∭∮∂∇∞|‖⌊⌈⟨").find(c) != std::u32string_view::npos;
}

bool ends_factor(char32_t c) {
  return is_letter_or_digit(c) || std::u32string_view(U")]}∂∇∞|‖⌋⌉⟩′!").find(c) != std::u32string_view::npos;
}

void put_tail_in_brackets(Line& line) {
  const std::size_t end = line.text.find_last_not_of(' ') + 1;
  line.text.insert(end, ")").insert(line.tail_begin, "(");
  line.tail = Tail::kPlain;
}

// What must stand between a line and `next`, so that neither takes a part of the other. Blanks mean nothing in TeX.
std::string_view between(const Line& line, std::string_view next, bool is_word) {
  const char32_t last = last_of(line.text);
  const char32_t first = first_of(next);
  if (last == ' ' || first == ' ') return "";
  if (line.tail == Tail::kWord) return first == '_' || first == '^' || first == '(' || first == ')' ? "" : " ";
  if (is_word && is_letter_or_digit(last)) return " ";
  if (line.tail == Tail::kRoot && begins_factor(first)) return " ";
  if (line.tail != Tail::kScript || !is_letter_or_digit(first)) return "";
  return is_digit(last) && !is_digit(first) ? "" : " ";
}

// A fraction beside a factor goes into brackets, unless it makes a mixed number.
std::string fitted_fraction(const Line& line, std::string fraction) {
  const std::string_view before = trim_right(line.text);
  const char32_t last = last_of(before);
  if (line.tail == Tail::kWord || line.tail == Tail::kFraction) return "(" + fraction + ")";
  if (!ends_factor(last)) return fraction;
  const bool is_mixed = line.tail == Tail::kPlain && is_digit(last) &&
                        is_ascii_digits(fraction.substr(0, fraction.find('/'))) &&
                        is_ascii_digits(fraction.substr(std::min(fraction.find('/') + 1, fraction.size())));
  if (!is_mixed) return "(" + fraction + ")";
  return before.size() < line.text.size() ? fraction : " " + fraction;
}

// Appends `next` to `line`.
void join(Line& line, Line next) {
  if (next.text.empty()) return;
  if (next.text == " ") {
    line.text.push_back(' ');
    return;
  }
  if (next.is_fraction()) {
    const std::size_t size = next.text.size();
    next.text = fitted_fraction(line, std::move(next.text));
    if (next.text.size() != size) next.tail = Tail::kPlain;
  }
  const char32_t first = first_of(next.text);
  const bool is_raised = first == '^' || first == '_' || first == '!' || first == '\'' || first == U'′';
  const bool is_bound = line.tail == Tail::kFraction && (is_raised || begins_factor(first));
  if (is_bound || (line.tail == Tail::kRoot && is_raised)) put_tail_in_brackets(line);
  line.text.append(between(line, next.text, next.tail == Tail::kWord));
  line.tail = next.tail;
  line.tail_begin = line.text.size() + next.tail_begin;
  line.text.append(next.text);
}

constexpr std::size_t kLongestFormula = 160;
constexpr int kDeepest = 8;

bool is_infix(std::string_view name) {
  return name == "over" || name == "choose";
}

class FormulaWriter {
 public:
  explicit FormulaWriter(std::string_view tex) : tex_(tex) {}

  // Up to the end, or past the `}` of a group.
  bool write_group(Line& line, int depth) {
    if (depth > kDeepest) return false;
    const std::size_t infix = find_infix();
    if (infix == std::string_view::npos) return write_items(line, depth) && pass_brace();
    Line above;
    Line below;
    end_ = infix;
    if (!write_items(above, depth)) return false;
    end_ = tex_.size();
    at_ = infix + 1;
    const std::string_view name = take_name();
    if (find_infix() != std::string_view::npos || !write_items(below, depth)) return false;
    join(line, name == "over" ? fraction(above, below) : choice(above, below));
    return pass_brace();
  }

  bool at_end() const { return at_ >= tex_.size(); }

 private:
  // Up to `end_` or the `}` of a group.
  bool write_items(Line& line, int depth) {
    while (at_ < end_ && tex_[at_] != '}') {
      if (!write_one(line, depth)) return false;
    }
    return true;
  }

  bool pass_brace() {
    if (at_ < tex_.size()) ++at_;
    return true;
  }

  // Of this group: \over or \choose.
  std::size_t find_infix() const {
    int open = 0;
    for (std::size_t at = at_; at < tex_.size(); ++at) {
      if (tex_[at] == '{') ++open;
      if (tex_[at] == '}' && open-- == 0) break;
      if (tex_[at] != '\\') continue;
      std::size_t end = at + 1;
      while (end < tex_.size() && is_ascii_letter(tex_[end])) ++end;
      if (open == 0 && is_infix(tex_.substr(at + 1, end - at - 1))) return at;
      at = std::max(at + 1, end - 1);
    }
    return std::string_view::npos;
  }

  bool write_one(Line& line, int depth) {
    const char byte = tex_[at_++];
    if (byte == '\\') return write_command(line, depth);
    if (byte == '{') return write_inner_group(line, depth);
    if (byte == '^' || byte == '_') return write_script(line, byte, depth);
    if (byte == '&') return false;
    if (is_ascii(byte)) return put(line, byte == '~' || byte == '\n' || byte == '\t' ? ' ' : byte);
    --at_;
    const std::size_t bytes = unicode::code_point_at(tex_, at_).bytes;
    join(line, plain(tex_.substr(at_, bytes)));
    at_ += bytes;
    return true;
  }

  bool write_inner_group(Line& line, int depth) {
    const std::size_t end = std::exchange(end_, tex_.size());
    const bool is_written = write_group(line, depth + 1);
    end_ = end;
    return is_written;
  }

  static bool put(Line& line, char byte) {
    join(line, plain(std::string_view(&byte, 1)));
    return true;
  }

  bool write_argument(Line& line, int depth) {
    skip_shapes();
    if (at_ >= tex_.size() || tex_[at_] == '}' || depth > kDeepest || !write_one(line, depth + 1)) return false;
    line.text = std::string(trim(line.text));
    return true;
  }

  // x^\mathrm{T}: the argument is the group.
  void skip_shapes() {
    for (;;) {
      while (at_ < tex_.size() && tex_[at_] == ' ') ++at_;
      const std::size_t begin = at_;
      if (at_ >= tex_.size() || tex_[at_++] != '\\' || !only_shapes(take_name())) {
        at_ = begin;
        return;
      }
    }
  }

  bool write_script(Line& line, char sign, int depth) {
    Line script;
    if (!write_argument(script, depth)) return false;
    std::string text = std::move(script.text);
    if (text == "∘") text = "°";
    for (const std::string_view mark : {"°", "′", "*", "†", "‡"}) {
      if (sign == '^' && text == mark) return join(line, plain(text)), true;
    }
    const bool is_signed =
        text.size() > 1 && (text[0] == '-' || text[0] == '+') && is_simple(std::string_view(text).substr(1), true);
    join(line, {sign + (is_signed ? text : grouped(text, true)), Tail::kScript, 0});
    return true;
  }

  static Line fraction(const Line& above, const Line& below) {
    return {grouped(trim(above.text), false) + "/" + grouped(trim(below.text), true), Tail::kFraction, 0};
  }

  static Line choice(const Line& above, const Line& below) {
    return plain("C(" + std::string(trim(above.text)) + ", " + std::string(trim(below.text)) + ")");
  }

  bool write_pair(Line& line, bool is_fraction, int depth) {
    Line first;
    Line second;
    if (!write_argument(first, depth) || !write_argument(second, depth)) return false;
    join(line, is_fraction ? fraction(first, second) : choice(first, second));
    return true;
  }

  // \sqrt[3]{x} is ∛x; another root has its index raised before the sign: ⁵√x.
  bool write_root(Line& line, int depth) {
    std::string sign = "√";
    if (at_ < tex_.size() && tex_[at_] == '[') {
      const std::size_t end = tex_.find(']', at_);
      if (end == std::string_view::npos) return false;
      sign = root_sign(trim(tex_.substr(at_ + 1, end - at_ - 1)));
      at_ = end + 1;
    }
    Line inside;
    if (sign.empty() || !write_argument(inside, depth)) return false;
    join(line, {sign + grouped(inside.text, true), Tail::kRoot, 0});
    return true;
  }

  static std::string root_sign(std::string_view index) {
    constexpr std::array<std::string_view, 10> kRaised = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    if (index == "3") return "∛";
    if (index == "4") return "∜";
    if (index == "n") return "ⁿ√";
    if (!is_ascii_digits(index)) return {};
    std::string sign;
    for (const char digit : index) sign.append(kRaised[static_cast<std::size_t>(digit - '0')]);
    return index == "2" ? "√" : sign + "√";
  }

  // Over one letter; a line over or under several is drawn at each.
  bool write_accent(Line& line, std::string_view name, int depth) {
    static const unicode::Composition kComposition;
    const std::string_view mark = accent_of(name);
    Line inside;
    if (!write_argument(inside, depth) || inside.text.empty()) return false;
    std::string marked;
    std::size_t letters = 0;
    for (std::size_t at = 0; at < inside.text.size();) {
      const auto [c, bytes] = unicode::code_point_at(inside.text, at);
      if (!is_letter_or_digit(c) && c != U'ℓ') return false;
      const bool is_base = !unicode::is_nonspacing_mark(c);
      if (is_base && letters++ > 0) marked.append(mark);
      marked.append(inside.text, at, bytes);
      at += bytes;
    }
    const bool is_line = name == "overline" || name == "underline" || name == "bar";
    if (letters > 1 && !is_line) return false;
    Line accented = plain("");
    kComposition.compose(marked.append(letters > 1 && name == "bar" ? accent_of("overline") : mark), accented.text);
    join(line, accented);
    return true;
  }

  // \not before a relation.
  bool write_negation(Line& line) {
    constexpr auto kNegations = std::to_array<std::pair<std::string_view, std::string_view>>(
        {{"=", "≠"}, {"\\in", "∉"}, {"\\equiv", "≢"}, {"\\subset", "⊄"}, {"\\subseteq", "⊈"}, {"\\exists", "∄"}});
    std::string_view rest = trim_left(tex_.substr(at_));
    std::size_t end = rest.starts_with('\\') ? 1 : 0;
    while (end < rest.size() && is_ascii_letter(rest[end])) ++end;
    const std::string_view relation = rest.substr(0, std::max<std::size_t>(end, 1));
    const auto found =
        std::find_if(kNegations.begin(), kNegations.end(), [&](const auto& one) { return one.first == relation; });
    if (found == kNegations.end()) return false;
    at_ = static_cast<std::size_t>(relation.end() - tex_.begin());
    join(line, plain(found->second));
    return true;
  }

  // \operatorname{rank} and \operatorname*.
  bool write_operator(Line& line, int depth) {
    if (at_ < tex_.size() && tex_[at_] == '*') ++at_;
    Line name;
    if (!write_argument(name, depth)) return false;
    join(line, {name.text, Tail::kWord, 0});
    return true;
  }

  bool write_modulus(Line& line, int depth) {
    Line modulus;
    if (!write_argument(modulus, depth)) return false;
    join(line, plain(" "));
    join(line, plain("(mod " + modulus.text + ")"));
    return true;
  }

  std::string_view take_name() {
    const std::size_t begin = at_;
    while (at_ < tex_.size() && is_ascii_letter(tex_[at_])) ++at_;
    return tex_.substr(begin, at_ - begin);
  }

  bool write_escaped(Line& line) {
    const char byte = tex_[at_++];
    if (byte == '|') return join(line, plain("‖")), true;
    if (byte == '!' || byte == '/') return true;
    if (std::string_view(",;:> ").find(byte) != std::string_view::npos) return put(line, ' ');
    return std::string_view("{}%$#&_").find(byte) != std::string_view::npos && put(line, byte);
  }

  bool write_command(Line& line, int depth) {
    if (at_ >= tex_.size()) return false;
    if (!is_ascii_letter(tex_[at_])) return write_escaped(line);
    const std::string_view name = take_name();
    if (name == "frac" || name == "tfrac" || name == "dfrac" || name == "cfrac") return write_pair(line, true, depth);
    if (name == "binom" || name == "dbinom" || name == "tbinom") return write_pair(line, false, depth);
    if (name == "sqrt") return write_root(line, depth);
    if (name == "not") return write_negation(line);
    if (name == "operatorname") return write_operator(line, depth);
    if (name == "pmod") return write_modulus(line, depth);
    if (name == "quad" || name == "qquad") return put(line, ' ');
    if (name == "mod" || name == "bmod") return write_sign(line, " mod");
    if (only_shapes(name)) return skip_dot(name);
    if (!accent_of(name).empty()) return write_accent(line, name, depth);
    const std::string_view sign = sign_of(name);
    return !sign.empty() && write_sign(line, sign);
  }

  // "log x", but "log_10 x" and "log(x)".
  static bool write_sign(Line& line, std::string_view sign) {
    std::string text(sign);
    std::replace(text.begin(), text.end(), '_', ' ');
    const bool is_word = text.size() > 1 && is_ascii_letter(text.back());
    join(line, {std::move(text), is_word ? Tail::kWord : Tail::kPlain, 0});
    return true;
  }

  // \left. and \right. are brackets that are not there.
  bool skip_dot(std::string_view name) {
    if ((name == "left" || name == "right") && at_ < tex_.size() && tex_[at_] == '.') ++at_;
    return true;
  }

  std::string_view tex_;
  std::size_t at_ = 0;
  std::size_t end_ = tex_.size();
};

}  // namespace

bool write_formula(std::string_view tex, std::string& text) {
  text.clear();
  tex = trim(tex);
  if (tex.size() > kLongestFormula) return false;
  FormulaWriter writer(tex);
  Line line;
  if (!writer.write_group(line, 0) || !writer.at_end()) return false;
  text = std::move(line.text);
  while (text.ends_with('.') || text.ends_with(',') || text.ends_with(' ')) text.pop_back();
  return !text.empty();
}

}  // namespace bertprep::clean
