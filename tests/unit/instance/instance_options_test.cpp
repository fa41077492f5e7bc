#include "bertprep/instance/instance_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "support/thrown.h"

namespace bertprep {
namespace {

std::string option_complaint(const std::function<void(InstanceOptions&)>& change) {
  InstanceOptions options;
  change(options);
  return test::thrown_by<ConfigError>([&] { validate(options); });
}

TEST(InstanceOptionsTest, DefaultsAreTheReferences) {
  std::string text;
  for (const FieldValue& value : recipe_of(InstanceOptions{})) text += value.name + "=" + value.value + " ";
  EXPECT_EQ(text,
            "seq-len=128 max-predictions=20 masked-lm-prob=0.15 short-seq-prob=0.1 dupe-factor=5 "
            "random-seed=12345 ");
}

TEST(InstanceOptionsTest, RangesAreChecked) {
  using Options = InstanceOptions;
  EXPECT_THAT(option_complaint([](Options& o) { o.seq_len = 4; }), testing::HasSubstr("`seq_len` is 4"));
  EXPECT_THAT(option_complaint([](Options& o) { o.seq_len = 65536; }), testing::HasSubstr("`seq_len` is 65536"));
  EXPECT_THAT(option_complaint([](Options& o) { o.max_predictions = 0; }),
              testing::HasSubstr("`max_predictions` is 0"));
  EXPECT_THAT(option_complaint([](Options& o) { o.masked_lm_prob = -0.5; }),
              testing::HasSubstr("`masked_lm_prob` is -0.5"));
  EXPECT_THAT(option_complaint([](Options& o) { o.masked_lm_prob = 1.5; }),
              testing::HasSubstr("`masked_lm_prob` is 1.5"));
  EXPECT_THAT(option_complaint([](Options& o) { o.short_seq_prob = 2; }), testing::HasSubstr("`short_seq_prob` is 2"));
  EXPECT_THAT(option_complaint([](Options& o) { o.dupe_factor = 0; }), testing::HasSubstr("`dupe_factor` is 0"));
}

TEST(InstanceOptionsTest, EndsOfTheRangesAreAccepted) {
  EXPECT_EQ(option_complaint([](InstanceOptions& o) {
              o.seq_len = 5;
              o.max_predictions = 1;
              o.masked_lm_prob = 0;
              o.short_seq_prob = 1;
              o.dupe_factor = 1;
            }),
            "nothing thrown");
  EXPECT_EQ(option_complaint([](InstanceOptions& o) { o.seq_len = 65535; }), "nothing thrown");
}

}  // namespace
}  // namespace bertprep
