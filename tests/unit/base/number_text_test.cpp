#include "bertprep/base/number_text.h"

#include <gtest/gtest.h>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

TEST(ShortestDecimal, WritesNumbersAsPythonDoes) {
  EXPECT_EQ(shortest_decimal(0.1), "0.1");
  EXPECT_EQ(shortest_decimal(1.0), "1.0");
  EXPECT_EQ(shortest_decimal(0.0), "0.0");
  EXPECT_EQ(shortest_decimal(0.15), "0.15");
  EXPECT_EQ(shortest_decimal(1.0 / 3.0), "0.3333333333333333");
  EXPECT_EQ(shortest_decimal(0.0001), "0.0001");
  EXPECT_EQ(shortest_decimal(0.00001), "1e-05");
  EXPECT_EQ(shortest_decimal(123456789.0), "123456789.0");
  EXPECT_EQ(shortest_decimal(1e16), "1e+16");
  EXPECT_EQ(shortest_decimal(-2.5), "-2.5");
}

TEST(CanonicalInteger, DropsSignsAndZerosThatMeanNothing) {
  EXPECT_EQ(canonical_integer("12345"), "12345");
  EXPECT_EQ(canonical_integer("007"), "7");
  EXPECT_EQ(canonical_integer("+5"), "5");
  EXPECT_EQ(canonical_integer("-0"), "0");
  EXPECT_EQ(canonical_integer("000"), "0");
  EXPECT_EQ(canonical_integer("-98765432109876543210"), "-98765432109876543210");
}

TEST(CanonicalInteger, RefusesWhatIsNoInteger) {
  for (const char* text : {"", "-", "+", "1.5", "0x10", "1e3", " 1", "12a"}) {
    EXPECT_THROW(canonical_integer(text), ConfigError) << text;
  }
}

}  // namespace
}  // namespace bertprep
