#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/number_text.h"
#include "unicode/ascii.h"
#include "wiki/templates/parser_functions.h"
#include "wiki/templates/python_number.h"

namespace bertprep {
namespace {

using Arguments = std::span<const PythonNumber>;

struct PythonFunction {
  std::string_view name;
  std::size_t fewest;  // arguments
  std::size_t most;
  MaybeNumber (*call)(Arguments arguments);
};

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

// A function of the C library, which sets no result for an argument outside of its domain or a result that overflows.
template <double (*kFunction)(double)>
MaybeNumber real(Arguments a) {
  const double x = a[0].real();
  const double result = kFunction(x);
  if (std::isfinite(x) ? !std::isfinite(result) : std::isnan(result) && !std::isnan(x)) return std::nullopt;
  return PythonNumber::of_float(result);
}

template <double (*kFunction)(double)>
MaybeNumber to_whole(Arguments a) {
  return a[0].is_float() ? PythonNumber::of_integral(kFunction(a[0].real())) : a[0].as_int();
}

// The first of those that are equal, as Python returns.
template <bool kIsMore>
MaybeNumber extreme(Arguments a) {
  PythonNumber best = a[0];
  for (const PythonNumber& next : a.subspan(1)) {
    if (kIsMore ? less(best, next) : less(next, best)) best = next;
  }
  return best;
}

MaybeNumber real_in(std::string_view digits) {
  const auto value = number_in<double>(digits);
  return value ? MaybeNumber(PythonNumber::of_float(*value)) : std::nullopt;
}

// Beyond these, rounding changes nothing or leaves nothing (CPython's float.__round__).
constexpr std::int64_t kMostDigits = 323;
constexpr std::int64_t kFewestDigits = -308;
constexpr std::size_t kLongestNumber = 700;

// A real number of at least one digit before its point, rounded to a power of ten.
MaybeNumber round_to_power(double x, std::int64_t power) {
  std::array<char, kLongestNumber> text{};
  const double size = std::fabs(x);
  const auto whole = std::to_chars(text.begin(), text.end(), std::trunc(size), std::chars_format::fixed, 0);
  const std::int64_t kept = size < 1 ? -1 : whole.ptr - text.begin() - power;
  if (kept < 0) return PythonNumber::of_float(std::copysign(0.0, x));
  if (kept == 0) {
    const MaybeNumber half = real_in("5e" + std::to_string(power - 1));
    if (size <= half->real()) return PythonNumber::of_float(std::copysign(0.0, x));
    return real_in((x < 0 ? "-1e" : "1e") + std::to_string(power));
  }
  const auto end =
      std::to_chars(text.begin(), text.end(), x, std::chars_format::scientific, static_cast<int>(kept - 1));
  return real_in({text.data(), static_cast<std::size_t>(end.ptr - text.begin())});
}

MaybeNumber round_real(double x, std::int64_t digits) {
  if (!std::isfinite(x) || digits > kMostDigits) return PythonNumber::of_float(x);
  if (digits < kFewestDigits) return PythonNumber::of_float(std::copysign(0.0, x));
  if (digits < 0) return round_to_power(x, -digits);
  std::array<char, kLongestNumber> text{};
  const auto end = std::to_chars(text.begin(), text.end(), x, std::chars_format::fixed, static_cast<int>(digits));
  return real_in({text.data(), static_cast<std::size_t>(end.ptr - text.begin())});
}

// To a multiple of a power of ten, ties to the even multiple.
MaybeNumber round_int(std::int64_t value, std::int64_t digits) {
  constexpr std::int64_t kDigits = std::numeric_limits<std::int64_t>::digits10;
  if (digits >= 0) return PythonNumber::of_int(value);
  if (digits < -kDigits - 1) return PythonNumber::of_int(0);
  __extension__ using Wide = __int128;
  Wide unit = 1;
  for (std::int64_t i = digits; i < 0; ++i) unit *= 10;
  const Wide rest = ((value % unit) + unit) % unit;
  const Wide below = value - rest;
  const bool is_up = rest * 2 > unit || (rest * 2 == unit && (below / unit) % 2 != 0);
  const Wide result = is_up ? below + unit : below;
  if (result != static_cast<std::int64_t>(result)) return std::nullopt;
  return PythonNumber::of_int(static_cast<std::int64_t>(result));
}

MaybeNumber round_to(Arguments a) {
  if (a.size() == 1) return to_whole<std::nearbyint>(a);  // ties to even
  if (a[1].is_float() || a[1].is_big() || a[0].is_big()) return std::nullopt;
  return a[0].is_float() ? round_real(a[0].real(), a[1].whole()) : round_int(a[0].whole(), a[1].whole());
}

// pow(base, exponent, divisor), whose result has the sign of the divisor.
MaybeNumber power_modulo(Arguments a) {
  const bool is_whole = std::ranges::none_of(a, [](PythonNumber n) { return n.is_float() || n.is_big(); });
  if (!is_whole || a[1].whole() < 0 || a[2].whole() == 0) return std::nullopt;
  __extension__ using Wide = __int128;
  const Wide divisor = a[2].whole();
  Wide base = a[0].whole() % divisor, result = 1 % divisor;
  for (std::int64_t exponent = a[1].whole(); exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = result * base % divisor;
    base = base * base % divisor;
  }
  if (result != 0 && (result < 0) != (divisor < 0)) result += divisor;
  return PythonNumber::of_int(static_cast<std::int64_t>(result));
}

constexpr std::array<PythonFunction, 18> kPythonFunctions{{
    {"abs", 1, 1, [](Arguments a) { return absolute(a[0]); }},
    {"acos", 1, 1, real<std::acos>},
    {"asin", 1, 1, real<std::asin>},
    {"atan", 1, 1, real<std::atan>},
    {"ceil", 1, 1, to_whole<std::ceil>},
    {"cos", 1, 1, real<std::cos>},
    {"exp", 1, 1, real<std::exp>},
    {"float", 0, 1, [](Arguments a) -> MaybeNumber { return PythonNumber::of_float(a.empty() ? 0 : a[0].real()); }},
    {"floor", 1, 1, to_whole<std::floor>},
    {"int", 0, 1, [](Arguments a) { return a.empty() ? PythonNumber::of_int(0) : to_whole<std::trunc>(a); }},
    {"ln", 1, 1, real<std::log>},
    {"max", 2, kAny, extreme<true>},
    {"min", 2, kAny, extreme<false>},
    {"pow", 2, 3, [](Arguments a) { return a.size() == 2 ? power(a[0], a[1]) : power_modulo(a); }},
    {"round", 1, 2, round_to},
    {"sin", 1, 1, real<std::sin>},
    {"tan", 1, 1, real<std::tan>},
    {"trunc", 1, 1, to_whole<std::trunc>},
}};

// pi and e.
MaybeNumber python_constant(std::string_view name) {
  if (name == "pi") return PythonNumber::of_float(std::numbers::pi);
  if (name == "e") return PythonNumber::of_float(std::numbers::e);
  return std::nullopt;
}

constexpr std::string_view kModulo = "mod";

bool is_compared(std::string_view text, std::size_t equals) {
  return equals > 0 && std::string_view("!<>").find(text[equals - 1]) != std::string_view::npos;
}

std::string in_python(std::string_view expression) {
  std::string text;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    if (expression.substr(i).starts_with(kModulo)) {
      text += '%';
      i += kModulo.size() - 1;
    } else if (expression[i] == '=' && !is_compared(expression, i)) {
      text += "==";
    } else {
      text += expression[i];
    }
  }
  return text;
}

using BinaryFunction = MaybeNumber (*)(PythonNumber, PythonNumber);
using UnaryFunction = MaybeNumber (*)(PythonNumber);

struct BinaryOperator {
  std::string_view sign;
  int level;  // operators of a higher level bind tighter
  BinaryFunction function;
};

constexpr std::array<BinaryOperator, 11> kBinary{{
    {"|", 0, bit_or},
    {"^", 1, bit_xor},
    {"&", 2, bit_and},
    {"<<", 3, shift_left},
    {">>", 3, shift_right},
    {"+", 4, add},
    {"-", 4, subtract},
    {"*", 5, multiply},
    {"/", 5, divide},
    {"//", 5, floor_divide},
    {"%", 5, modulo},
}};

struct Comparison {
  std::string_view sign;
  bool (*holds)(PythonNumber, PythonNumber);
};

constexpr std::array<Comparison, 6> kComparisons{{
    {"<", less},
    {">", [](PythonNumber a, PythonNumber b) { return less(b, a); }},
    {"<=", [](PythonNumber a, PythonNumber b) { return less(a, b) || equal(a, b); }},
    {">=", [](PythonNumber a, PythonNumber b) { return less(b, a) || equal(a, b); }},
    {"==", equal},
    {"!=", [](PythonNumber a, PythonNumber b) { return !equal(a, b); }},
}};

constexpr std::array<std::string_view, 8> kLongSigns{"**", "//", "<<", ">>", "<=", ">=", "==", "!="};

MaybeNumber plus(PythonNumber a) {
  return a.is_float() ? a : a.as_int();
}

bool is_name_character(char c) {
  return is_ascii_alphanumeric(c) || c == '_';
}

// Recursive descent. After a failure, everything returns at once with a meaningless number.
class Evaluation {
 public:
  explicit Evaluation(std::string_view text) : rest_(text) {}

  std::optional<std::string> result() {
    skip_blanks(true);
    std::string text = disjunction().text();
    bool is_list = false;
    while (!failed_ && accept(",")) {
      is_list = true;
      if (at_end()) {
        text += ',';
        break;
      }
      text += ", " + disjunction().text();
    }
    if (failed_ || !at_end()) return std::nullopt;
    // A list of one element keeps its comma: "(1,)".
    return is_list ? "(" + text + ")" : text;
  }

 private:
  static constexpr int kDeepest = 200;

  PythonNumber fail() {
    failed_ = true;
    rest_ = {};
    return PythonNumber::of_int(0);
  }
  PythonNumber checked(MaybeNumber value) { return value ? *value : fail(); }

  // Line feeds end an expression, except inside parentheses.
  void skip_blanks(bool lines) {
    const auto blank = rest_.find_first_not_of(lines || parentheses_ > 0 ? " \t\f\r\n" : " \t\f");
    rest_.remove_prefix(std::min(blank, rest_.size()));
  }

  bool at_end() {
    skip_blanks(true);
    return rest_.empty();
  }

  std::string_view sign() {
    skip_blanks(false);
    const auto two = rest_.substr(0, 2);
    const bool is_long = std::find(kLongSigns.begin(), kLongSigns.end(), two) != kLongSigns.end();
    return is_long ? two : rest_.substr(0, 1);
  }

  bool accept(std::string_view wanted) {
    if (sign() != wanted) return false;
    rest_.remove_prefix(wanted.size());
    return true;
  }

  std::string_view word() {
    skip_blanks(false);
    const auto* const end = std::find_if_not(rest_.begin(), rest_.end(), is_name_character);
    return rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
  }

  bool accept_word(std::string_view wanted) {
    if (word() != wanted) return false;
    rest_.remove_prefix(wanted.size());
    return true;
  }

  // Operands that do not affect the result are parsed but not evaluated.
  template <class Read>
  PythonNumber read_skipped(Read read) {
    ++skipped_;
    const PythonNumber value = read();
    --skipped_;
    return value;
  }

  PythonNumber disjunction() {
    PythonNumber value = conjunction();
    while (!failed_ && accept_word("or")) {
      if (value.truth()) {
        read_skipped([this] { return conjunction(); });
      } else {
        value = conjunction();
      }
    }
    return value;
  }

  PythonNumber conjunction() {
    PythonNumber value = inversion();
    while (!failed_ && accept_word("and")) {
      if (value.truth()) {
        value = inversion();
      } else {
        read_skipped([this] { return inversion(); });
      }
    }
    return value;
  }

  PythonNumber inversion() {
    bool inverts = false, truth = false;
    while (!failed_ && accept_word("not")) {
      inverts = true;
      truth = !truth;
    }
    const PythonNumber value = comparison();
    return inverts ? PythonNumber::of_bool(value.truth() != truth) : value;
  }

  PythonNumber comparison() {
    PythonNumber left = binary(0);
    bool compared = false, holds = true;
    for (const Comparison* comparison = accept_comparison(); comparison != nullptr; comparison = accept_comparison()) {
      compared = true;
      if (!holds) {
        read_skipped([this] { return binary(0); });
        continue;
      }
      const PythonNumber right = binary(0);
      holds = comparison->holds(left, right);
      left = right;
    }
    return compared ? PythonNumber::of_bool(holds) : left;
  }

  const Comparison* accept_comparison() {
    if (failed_) return nullptr;
    const auto* const found = std::ranges::find(kComparisons, sign(), &Comparison::sign);
    if (found == kComparisons.end()) return nullptr;
    rest_.remove_prefix(found->sign.size());
    return found;
  }

  const BinaryOperator* accept_binary(int lowest) {
    if (failed_) return nullptr;
    const auto* const found = std::ranges::find(kBinary, sign(), &BinaryOperator::sign);
    if (found == kBinary.end() || found->level < lowest) return nullptr;
    rest_.remove_prefix(found->sign.size());
    return found;
  }

  PythonNumber binary(int lowest) {
    PythonNumber left = unary();
    while (const BinaryOperator* const found = accept_binary(lowest)) {
      const PythonNumber right = binary(found->level + 1);
      if (skipped_ == 0 && !failed_) left = checked(found->function(left, right));
    }
    return left;
  }

  PythonNumber unary() {
    if (failed_ || depth_ >= kDeepest) return fail();
    const UnaryFunction function = accept_unary();
    if (function == nullptr) return exponential();
    ++depth_;
    const PythonNumber value = unary();
    --depth_;
    return skipped_ == 0 && !failed_ ? checked(function(value)) : value;
  }

  UnaryFunction accept_unary() {
    if (accept("-")) return negate;
    if (accept("~")) return invert;
    if (accept("+")) return plus;
    return nullptr;
  }

  // The exponent may have a sign: 2 ** -1. It binds tighter than a sign before the base.
  PythonNumber exponential() {
    const PythonNumber base = atom();
    if (failed_ || !accept("**")) return base;
    ++depth_;
    const PythonNumber exponent = unary();
    --depth_;
    return skipped_ == 0 && !failed_ ? checked(power(base, exponent)) : base;
  }

  PythonNumber atom() {
    if (failed_) return fail();
    if (accept("(")) return in_parentheses();
    const std::string_view name = word();
    if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return literal();
    rest_.remove_prefix(name.size());
    if (name == "True" || name == "False") return PythonNumber::of_bool(name == "True");
    if (const MaybeNumber constant = python_constant(name)) return *constant;
    return call(name);
  }

  PythonNumber literal() { return checked(read_number(rest_)); }

  PythonNumber in_parentheses() {
    if (depth_ >= kDeepest) return fail();
    ++depth_;
    ++parentheses_;
    const PythonNumber value = disjunction();
    if (failed_ || !accept(")")) return fail();
    --parentheses_;
    --depth_;
    return value;
  }

  PythonNumber call(std::string_view name) {
    const auto* const function = std::ranges::find(kPythonFunctions, name, &PythonFunction::name);
    if (function == kPythonFunctions.end() || !accept("(")) return fail();
    const std::vector<PythonNumber> values = arguments();
    if (failed_) return fail();
    if (skipped_ != 0) return PythonNumber::of_int(0);
    if (values.size() < function->fewest || values.size() > function->most) return fail();
    return checked(function->call(values));
  }

  // Up to the closing parenthesis, which a comma may precede.
  std::vector<PythonNumber> arguments() {
    std::vector<PythonNumber> values;
    if (depth_ >= kDeepest) fail();
    ++depth_;
    ++parentheses_;
    while (!failed_ && !accept(")")) {
      values.push_back(disjunction());
      if (!failed_ && !accept(",") && sign() != ")") fail();
    }
    --parentheses_;
    --depth_;
    return values;
  }

  std::string_view rest_;
  int depth_ = 0;
  int parentheses_ = 0;
  int skipped_ = 0;
  bool failed_ = false;
};

}  // namespace

void append_expression(std::string_view expression, std::string& out) {
  const std::string python = in_python(expression);
  const auto result = Evaluation(python).result();
  out += result ? *result : "<span class=\"error\">" + python + "</span>";
}

}  // namespace bertprep
