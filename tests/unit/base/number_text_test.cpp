#include "base/number_text.h"

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

TEST(CanonicalInteger, RefusesOtherTexts) {
  for (const char* text : {"", "-", "+", "1.5", "0x10", "1e3", " 1", "12a"}) {
    EXPECT_THROW(canonical_integer(text), ConfigError) << text;
  }
}

TEST(SizeInBytes, ReadsWholeNumbersAndUnits) {
  EXPECT_EQ(size_in_bytes("1", "x"), 1U);
  EXPECT_EQ(size_in_bytes("500K", "x"), 512'000U);
  EXPECT_EQ(size_in_bytes("300m", "x"), 314'572'800U);
  EXPECT_EQ(size_in_bytes("4G", "x"), 4'294'967'296U);
  EXPECT_EQ(size_in_bytes("1.5k", "x"), 1536U);
  EXPECT_EQ(size_in_bytes("2T", "x"), 2'199'023'255'552U);
}

TEST(SizeInBytes, KnowsPowersOf1000FromThoseOf1024) {
  for (const char* text : {"4G", "4g", "4Gi", "4gi", "4GiB", "4gib", "4GIB"}) {
    EXPECT_EQ(size_in_bytes(text, "x"), 4'294'967'296U) << text;
  }
  for (const char* text : {"4GB", "4gb", "4Gb"}) EXPECT_EQ(size_in_bytes(text, "x"), 4'000'000'000U) << text;
  EXPECT_EQ(size_in_bytes("500KB", "x"), 500'000U);
  EXPECT_EQ(size_in_bytes("1.5MiB", "x"), 1'572'864U);
  EXPECT_EQ(size_in_bytes("1TB", "x"), 1'000'000'000'000U);
  EXPECT_EQ(size_in_bytes("64B", "x"), 64U);
}

TEST(CountIn, ReadsThousandsAndMillions) {
  EXPECT_EQ(count_in("0"), 0);
  EXPECT_EQ(count_in("-7"), -7);
  EXPECT_EQ(count_in("30k"), 30'000);
  EXPECT_EQ(count_in("30K"), 30'000);
  EXPECT_EQ(count_in("1M"), 1'000'000);
  EXPECT_EQ(count_in("1.1k"), 1100);
  EXPECT_EQ(count_in("2.5G"), 2'500'000'000);
  for (const char* text : {"", "k", "x", "1.5", "1.0005k", "0.0001k", "1kk", "1 k", "-1k", "1e3", "1e3k", "inf", "infk",
                           "1KiB", "9999999999G", "99999999999999999999"}) {
    EXPECT_EQ(count_in(text), std::nullopt) << text;
  }
}

TEST(SizeInBytes, RefusesEverythingElse) {
  for (const char* text : {"", "0", "-5", "nan", "inf", "1e3", "4Q", ".5G", "0.5", "4GX", "4iB", "4GBi", "4i", "4 G",
                           "G", "9999999999T", "99999999999999999999"}) {
    EXPECT_THROW(size_in_bytes(text, "memory"), ConfigError) << text;
  }
}

TEST(NumberText, CountsForPeople) {
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(18446744073709551615U), "18,446,744,073,709,551,615");
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(12345, "row"), "12,345 rows");
  EXPECT_EQ(counted(1, "record", "was", "were"), "1 record was");
  EXPECT_EQ(counted(2, "record", "was", "were"), "2 records were");
  EXPECT_EQ(counted_of(1, 5, "row", "is", "are"), "1 of 5 rows is");
  EXPECT_EQ(counted_of(2, 5, "row", "is", "are"), "2 of 5 rows are");
}

}  // namespace
}  // namespace bertprep
