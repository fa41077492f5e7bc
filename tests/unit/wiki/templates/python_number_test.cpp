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

TEST(Arithmetic, CallsFunctionsAsPython) {
  const std::pair<const char*, const char*> cases[] = {
      {"abs(-5)", "5"},
      {"round(2.5)", "2"},
      {"int(-2.7)", "-2"},
      {"float(3)", "3.0"},
      {"int()", "0"},
      {"float()", "0.0"},
      {"int(True)", "1"},
      {"floor(True)", "1"},
      {"floor(7/2)", "3"},
      {"floor(-0.5)", "-1"},
      {"ceil(-0.5)", "0"},
      {"ceil(7/2)", "4"},
      {"trunc(-1.7)", "-1"},
      {"floor (2.5)", "2"},
      {" floor( 2.5 ) ", "2"},
      {"floor(\n2.5\n)", "2"},
      {"-floor(2.5)", "-2"},
      {"floor(7/2)*ceil(1.5)", "6"},
      {"2**floor(3.9)", "8"},
      {"floor(1.5) mod 2", "1"},
      {"1 or 1/0", "1"},
      {"1 or floor(1,2)", "1"},
      {"max(floor(2.5), 1)", "2"},
      {"max(1,2,)", "2"},
      {"floor(7/2),2", "(3, 2)"},
      {"max(1, 1.0)", "1"},
      {"max(1.0, 1)", "1.0"},
      {"min(True, 1)", "True"},
      {"max(1,2.5,2)", "2.5"},
      {"min(3,1,2)", "1"},
      {"max(2**62, 4611686018427387905)", "4611686018427387905"},
      {"round(1e20)", "100000000000000000000"},
      {"-floor(1e20)", "-100000000000000000000"},
      {"int(1.5e300) = 1.5e300", "True"},
      {"floor(1e22)+0.5", "1e+22"},
      {"round(1e20, 1)", "1e+20"},
      {"round(7/3, 2)", "2.33"},
      {"round(0.125, 2)", "0.12"},
      {"round(2.675, 2)", "2.67"},
      {"round(7/2, 0)", "4.0"},
      {"round(1234, -2)", "1200"},
      {"round(1250, -2)", "1200"},
      {"round(1350, -2)", "1400"},
      {"round(-1250, -2)", "-1200"},
      {"round(-1350, -2)", "-1400"},
      {"round(5, 3)", "5"},
      {"round(True, 1)", "1"},
      {"round(5, -30)", "0"},
      {"round(1234.5, -2)", "1200.0"},
      {"round(1250.0, -2)", "1200.0"},
      {"round(1250.001, -2)", "1300.0"},
      {"round(25.0, -1)", "20.0"},
      {"round(5.0, -1)", "0.0"},
      {"round(5.1, -1)", "10.0"},
      {"round(-5.1, -1)", "-10.0"},
      {"round(-0.4, -1)", "-0.0"},
      {"round(0.5, 400)", "0.5"},
      {"round(1e300, -400)", "0.0"},
      {"round(5e-324, 323)", "0.0"},
      {"round(pi, 3)", "3.142"},
      {"pi", "3.141592653589793"},
      {"e", "2.718281828459045"},
      {"2*e", "5.43656365691809"},
      {"1e1", "10.0"},
      {"ln(10)", "2.302585092994046"},
      {"ln(1)", "0.0"},
      {"exp(1)", "2.718281828459045"},
      {"exp(-1000)", "0.0"},
      {"exp(2)", "7.38905609893065"},
      {"cos(0)", "1.0"},
      {"cos(1)", "0.5403023058681398"},
      {"sin(0)", "0.0"},
      {"tan(1)", "1.5574077246549023"},
      {"tan(pi/4)", "0.9999999999999999"},
      {"asin(1)", "1.5707963267948966"},
      {"acos(1)", "0.0"},
      {"atan(1)", "0.7853981633974483"},
      {"atan(float(1e308*10))", "1.5707963267948966"},
      {"pow(2,10)", "1024"},
      {"pow(2,-1)", "0.5"},
      {"pow(2,10,1000)", "24"},
      {"pow(2,10,-7)", "-5"},
      {"pow(5,0,1)", "0"},
      {"pow(2,0.5)", "1.4142135623730951"},
  };
  for (const auto& [expression, value] : cases) EXPECT_EQ(value_of(expression), value) << expression;
}

TEST(Arithmetic, MarksCallsThatPythonRefuses) {
  for (const char* const wrong : {"floor()",
                                  "floor(1,2)",
                                  "floor(,)",
                                  "floor(1",
                                  "floor 1",
                                  "floor(1 2)",
                                  "max(1)",
                                  "pow(2)",
                                  "pow(2,3,0)",
                                  "pow(2,0.5,3)",
                                  "ln(0)",
                                  "ln(-1)",
                                  "asin(2)",
                                  "exp(1000)",
                                  "sin(1e308*10)",
                                  "floor(1e308*10)",
                                  "round(1.5, 1.0)",
                                  "round(1,2,3)",
                                  "round(1.7e308,-308)",
                                  "sqrt(4)",
                                  "2e",
                                  "pi()",
                                  "pi(2)",
                                  "log(2)"}) {
    EXPECT_EQ(value_of(wrong), error_of(wrong)) << wrong;
  }
  // Integers of more than 64 bits are known only as results of reals.
  for (const char* const big : {"floor(1e20)+1", "round(9223372036854775807, -19)", "pow(2,64)"}) {
    EXPECT_EQ(value_of(big), error_of(big)) << big;
  }
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
