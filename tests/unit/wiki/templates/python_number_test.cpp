#include "wiki/templates/parser_functions.h"

#include <gtest/gtest.h>

#include "wiki/templates/python_number.h"

namespace bertprep {
namespace {

std::string value_of(std::string_view expression) {
  std::string out;
  append_expression(expression, out);
  return out;
}

std::string integer_of(std::string_view text) {
  std::string out = "<";
  append_integer(text, out);
  return out.substr(1);
}

std::string error_of(std::string_view expression) {
  return "<span class=\"error\">" + std::string(expression) + "</span>";
}

TEST(Arithmetic, CalculatesWithPrecedence) {
  EXPECT_EQ(value_of("1+2*3"), "7");
  EXPECT_EQ(value_of("(1+2)*3"), "9");
  EXPECT_EQ(value_of("2**3**2"), "512");
  EXPECT_EQ(value_of("-2**2"), "-4");
  EXPECT_EQ(value_of("2**-1"), "0.5");
  EXPECT_EQ(value_of("10-4-3"), "3");
  EXPECT_EQ(value_of("1|2^3&4<<1"), "3");
  EXPECT_EQ(value_of("--3"), "3");
  EXPECT_EQ(value_of("~5"), "-6");
}

TEST(Arithmetic, DividesAsPython) {
  EXPECT_EQ(value_of("7/2"), "3.5");
  EXPECT_EQ(value_of("6/2"), "3.0");
  EXPECT_EQ(value_of("0/-2"), "-0.0");
  EXPECT_EQ(value_of("-7//2"), "-4");
  EXPECT_EQ(value_of("-7%3"), "2");
  EXPECT_EQ(value_of("7 mod -3"), "-2");
  EXPECT_EQ(value_of("5.5%-2"), "-0.5");
  EXPECT_EQ(value_of("-5.5//2"), "-3.0");
  EXPECT_EQ(value_of("9223372036854775807/3"), "3.0744573456182584e+18");
  EXPECT_EQ(value_of("1/3"), "0.3333333333333333");
  EXPECT_EQ(value_of("9007199254740993/9007199254740992"), "1.0");
}

TEST(Arithmetic, PrintsRealNumbersAsPython) {
  EXPECT_EQ(value_of("0.1+0.2"), "0.30000000000000004");
  EXPECT_EQ(value_of("1e16"), "1e+16");
  EXPECT_EQ(value_of("1e15*1"), "1000000000000000.0");
  EXPECT_EQ(value_of("1/100000"), "1e-05");
  EXPECT_EQ(value_of("1e999"), "inf");
  EXPECT_EQ(value_of("1e999-1e999"), "nan");
  EXPECT_EQ(value_of("-0.0"), "-0.0");
}

TEST(Arithmetic, ReadsPythonsLiterals) {
  EXPECT_EQ(value_of("1_000"), "1000");
  EXPECT_EQ(value_of("0x1F"), "31");
  EXPECT_EQ(value_of("0b_11"), "3");
  EXPECT_EQ(value_of(".5"), "0.5");
  EXPECT_EQ(value_of("5."), "5.0");
  EXPECT_EQ(value_of("09.5"), "9.5");
  EXPECT_EQ(value_of("000"), "0");
  for (const char* const wrong : {"007", "1__0", "1_", "0x", "1e", "1.2.3", "5j", "12a", "."}) {
    EXPECT_EQ(value_of(wrong), error_of(wrong));
  }
}

TEST(Arithmetic, ComparesAndCombines) {
  EXPECT_EQ(value_of("1=1"), "True");
  EXPECT_EQ(value_of("1!=1"), "False");
  EXPECT_EQ(value_of("1<2<3"), "True");
  EXPECT_EQ(value_of("3>2>2"), "False");
  EXPECT_EQ(value_of("1 >= 2"), "False");
  EXPECT_EQ(value_of("0 or 5"), "5");
  EXPECT_EQ(value_of("2 and 3"), "3");
  EXPECT_EQ(value_of("not 0"), "True");
  EXPECT_EQ(value_of("(1=1)+1"), "2");
  EXPECT_EQ(value_of("9007199254740993=9007199254740992.0"), "False");
}

TEST(Arithmetic, DoesNotCalculateWhatDoesNotDecide) {
  EXPECT_EQ(value_of("1 or 1/0"), "1");
  EXPECT_EQ(value_of("0 and 1/0"), "0");
  EXPECT_EQ(value_of("2<1<1/0"), "False");
  EXPECT_EQ(value_of("1 or )"), error_of("1 or )"));
}

TEST(Arithmetic, ListsWhatCommasPart) {
  EXPECT_EQ(value_of("1,000+5"), "(1, 5)");
  EXPECT_EQ(value_of("1,"), "(1,)");
}

TEST(Arithmetic, MarksWhatItCannotEvaluate) {
  for (const char* const wrong : {"", "1/0", "1.0%0", "7/2 round 1", "7 div 2", "1+", "(1", "1)", "a", "0**-1",
                                  "(-8)**0.5", "10.0**400", "2**64", "<1", "1 2", "1<>2", "1\n+2", "&lt;"}) {
    EXPECT_EQ(value_of(wrong), error_of(wrong)) << wrong;
  }
}

TEST(Arithmetic, ShowsItsSpellingInErrors) {
  EXPECT_EQ(value_of("1==1"), error_of("1====1"));
  EXPECT_EQ(value_of("a = 5 mod 0"), error_of("a == 5 % 0"));
}

TEST(Arithmetic, BoundsTheNesting) {
  EXPECT_EQ(value_of(std::string(150, '(') + "1" + std::string(150, ')')), "1");
  const std::string deep = std::string(100000, '(') + "1" + std::string(100000, ')');
  EXPECT_EQ(value_of(deep), error_of(deep));
  const std::string signs = std::string(100000, '-') + "1";
  EXPECT_EQ(value_of(signs), error_of(signs));
}

TEST(Arithmetic, KnowsAFewFunctions) {
  EXPECT_EQ(value_of("abs(-5)"), "5");
  EXPECT_EQ(value_of("round(2.5)"), "2");
  EXPECT_EQ(value_of("int(-2.7)"), "-2");
  EXPECT_EQ(value_of("float(3)"), "3.0");
}

TEST(PythonInteger, IsWrittenInCanonicalForm) {
  EXPECT_EQ(integer_of("007"), "7");
  EXPECT_EQ(integer_of(" -1_000\n"), "-1000");
  EXPECT_EQ(integer_of("+٣"), "3");
  EXPECT_EQ(integer_of("-0"), "0");
  EXPECT_EQ(integer_of("12345678901234567890123"), "12345678901234567890123");
  for (const char* const wrong : {"", "-", "1.5", "1e3", "_1", "1_", "1__2", "x", "²"}) {
    EXPECT_EQ(integer_of(wrong), "") << wrong;
  }
  EXPECT_EQ(integer_of(std::string(4300, '9')), std::string(4300, '9'));
  EXPECT_EQ(integer_of(std::string(4301, '9')), "");
}

}  // namespace
}  // namespace bertprep
