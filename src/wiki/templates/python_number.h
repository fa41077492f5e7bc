// Numbers as in Python: integers of any size, and floats.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bertprep {

// Appends str(int(text)): accepts surrounding blanks, a sign, underscores between digits and digits of any script.
// Appends nothing if it is not an integer, or has more than 4300 digits.
void append_integer(std::string_view text, std::string& out);

class PythonNumber {
 public:
  static PythonNumber of_bool(bool value) { return PythonNumber(Type::kBool, value ? 1 : 0, 0.0); }
  static PythonNumber of_int(std::int64_t value) { return PythonNumber(Type::kInt, value, 0.0); }
  static PythonNumber of_float(double value) { return PythonNumber(Type::kFloat, 0, value); }
  // An integral value, as an int of any size; nothing for an infinity or NaN.
  static std::optional<PythonNumber> of_integral(double value);

  bool is_float() const { return type_ == Type::kFloat; }
  // An int beyond 64 bits, whose value is that of a double. Only signs, comparisons and reals work on it.
  bool is_big() const { return type_ == Type::kBig; }
  bool is_bool() const { return type_ == Type::kBool; }
  bool truth() const { return is_float() ? real_ != 0.0 : is_big() || whole_ != 0; }
  std::int64_t whole() const { return whole_; }  // of a bool or an int of 64 bits
  double real() const { return is_float() || is_big() ? real_ : static_cast<double>(whole_); }  // of any
  PythonNumber as_int() const { return is_big() ? *this : of_int(whole_); }                     // of a bool or an int
  std::string text() const;                                                                     // str()

 private:
  enum class Type : std::uint8_t { kBool, kInt, kBig, kFloat };
  PythonNumber(Type type, std::int64_t whole, double real) : type_(type), whole_(whole), real_(real) {}

  Type type_;
  std::int64_t whole_;
  double real_;
};

// Nothing means an exception, a complex number or an integer that needs more than 64 bits and came from no real.
using MaybeNumber = std::optional<PythonNumber>;

MaybeNumber add(PythonNumber a, PythonNumber b);
MaybeNumber subtract(PythonNumber a, PythonNumber b);
MaybeNumber multiply(PythonNumber a, PythonNumber b);
MaybeNumber divide(PythonNumber a, PythonNumber b);        // a / b
MaybeNumber floor_divide(PythonNumber a, PythonNumber b);  // a // b
MaybeNumber modulo(PythonNumber a, PythonNumber b);        // a % b, with the sign of b
MaybeNumber power(PythonNumber a, PythonNumber b);         // a ** b
MaybeNumber shift_left(PythonNumber a, PythonNumber b);
MaybeNumber shift_right(PythonNumber a, PythonNumber b);
MaybeNumber bit_and(PythonNumber a, PythonNumber b);
MaybeNumber bit_or(PythonNumber a, PythonNumber b);
MaybeNumber bit_xor(PythonNumber a, PythonNumber b);
MaybeNumber negate(PythonNumber a);
MaybeNumber invert(PythonNumber a);    // ~a
MaybeNumber absolute(PythonNumber a);  // abs(a)

bool less(PythonNumber a, PythonNumber b);
bool equal(PythonNumber a, PythonNumber b);

// Numbers as texts, as Python reads and prints them.

// Reads the longest literal of an integer or a real number at the start of `text` and removes it. Nothing if there is
// none, or it is out of range.
MaybeNumber read_number(std::string_view& text);

// Appends a string as by Python's repr(): 'text', or "text" if that saves escapes; characters not printable in Unicode
// 14 become \n, \x1f, \u200b and the like.
void append_python_repr(std::string_view text, std::string& out);

}  // namespace bertprep
