#include "base/fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <span>

#include "support/thrown.h"

namespace bertprep {
namespace {

struct Sample {
  std::int64_t count = 3;
  double share = 0.5;
  bool loud = false;
  std::string mode = "slow";

  static FieldList<Sample> fields() {
    static const Field<Sample> list[] = {
        {"count", &Sample::count, "things", "how many", 1, 10},
        {"share", &Sample::share, "", "which part", 0, 1},
        {"loud", &Sample::loud, "", "with noise", 0, 0, "", false},
        {"mode", &Sample::mode, "", "how", 0, 0, "slow|fast"},
    };
    return {list, OptionGroup::kRows};
  }
};

std::string message_of(const Sample& sample) {
  return test::thrown_by<ConfigError>([&] { validate(sample); });
}

struct PathSample {
  std::string file = "a:b/c";
  std::string mirror = "https://example.org";

  static FieldList<PathSample> fields() {
    static const Field<PathSample> list[] = {
        {.name = "file", .member = &PathSample::file, .unit = "file", .help = ""},
        {.name = "mirror", .member = &PathSample::mirror, .unit = "urls", .help = ""}};
    return {list, OptionGroup::kRows};
  }
};

TEST(Fields, AnAddressIsNoPath) {
  EXPECT_NO_THROW(validate(PathSample()));
  EXPECT_THAT(test::thrown_by<ConfigError>([] { validate(PathSample{.file = "s3://bucket/x"}); }),
              testing::StartsWith("`file`: 's3://bucket/x' is an address"));
}

struct LaterSample {
  std::string accents = "auto";

  static FieldList<LaterSample> fields() {
    static const Field<LaterSample> list[] = {
        {.name = "accents", .member = &LaterSample::accents, .unit = "", .help = "which", .unrecorded = "auto"}};
    return {list, OptionGroup::kRows};
  }
};

TEST(Fields, AnUnrecordedValueIsNotInTheRecipe) {
  EXPECT_TRUE(recipe_of(LaterSample()).empty());
  EXPECT_EQ(recipe_of(LaterSample{.accents = "no"}).size(), 1U);
}

TEST(Fields, DefaultsAreValid) {
  EXPECT_EQ(message_of({}), "nothing thrown");
}

TEST(Fields, RangesAreNamedInTheMessage) {
  EXPECT_EQ(message_of({.count = 0}), "`count` is 0, it must be between 1 and 10");
  EXPECT_EQ(message_of({.count = 11}), "`count` is 11, it must be between 1 and 10");
  EXPECT_EQ(message_of({.share = 1.5}), "`share` is 1.5, it must be between 0 and 1");
  EXPECT_EQ(message_of({.share = 1e300}), "`share` is 1e+300, it must be between 0 and 1");
  EXPECT_EQ(message_of({.share = -std::numeric_limits<double>::infinity()}),
            "`share` is -inf, it must be between 0 and 1");
}

TEST(Fields, ANonFiniteNumberIsOutOfRange) {
  EXPECT_THAT(message_of({.share = std::numeric_limits<double>::quiet_NaN()}), testing::HasSubstr("`share`"));
}

TEST(Fields, ChoicesAreNamedInTheMessage) {
  EXPECT_EQ(message_of({.mode = "quick"}), "`mode` is 'quick', it must be one of slow|fast");
  EXPECT_EQ(message_of({.mode = "fast"}), "nothing thrown");
}

TEST(Fields, SettingAndReadingAreInverse) {
  Sample sample;
  for (const auto& field : Sample::fields())
    set_field(sample, field, value_of(Sample{7, 0.25, true, "fast"}, field).value);
  EXPECT_EQ(sample.count, 7);
  EXPECT_EQ(sample.share, 0.25);
  EXPECT_TRUE(sample.loud);
  EXPECT_EQ(sample.mode, "fast");
}

TEST(Fields, TextThatIsNoValueIsRefused) {
  Sample sample;
  EXPECT_THROW(set_field(sample, Sample::fields()[0], "3x"), ConfigError);
  EXPECT_THROW(set_field(sample, Sample::fields()[0], ""), ConfigError);
  EXPECT_THROW(set_field(sample, Sample::fields()[1], "half"), ConfigError);
  EXPECT_EQ(test::thrown_by<ConfigError>([&] { set_field(sample, Sample::fields()[0], "99999999999999999999"); }),
            "`count`: '99999999999999999999' is not a whole number, it must be between 1 and 10; write it like 30000, "
            "30k or 1.5M");
  EXPECT_THROW(set_field(sample, Sample::fields()[2], "yes"), ConfigError);
}

TEST(Fields, CountsMayBeShort) {
  Sample sample;
  set_field(sample, Sample::fields()[0], "30k");
  EXPECT_EQ(sample.count, 30000);
  EXPECT_EQ(test::thrown_by<ConfigError>([&] { check_field(sample, Sample::fields()[0]); }),
            "`count` is 30000, it must be between 1 and 10");
}

TEST(Fields, TheRecipeHasOnlyOptionsThatDecideBytes) {
  std::vector<std::string> names;
  for (const FieldValue& value : recipe_of(Sample{})) names.push_back(value.name);
  EXPECT_THAT(names, testing::ElementsAre("count", "share", "mode"));
}

}  // namespace
}  // namespace bertprep
