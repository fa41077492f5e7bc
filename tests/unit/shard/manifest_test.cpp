#include "bertprep/shard/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

TEST(Manifest, TextsThatLookLikeNumbersComeBackAsTheyWere) {
  Manifest manifest{.dataset = "d", .recipe = {}, .rejected_by_reason = {}, .shards = {}};
  for (const char* value :
       {"007", "1-2", "2024-01-01", "-", "1.", "1e", "--1", "128", "0.15", "1e-05", "true", "null"}) {
    manifest.recipe.emplace_back(value, value);
  }
  const TempFolder temp;
  const std::string json = manifest.to_json();
  EXPECT_EQ(Manifest::load(temp.write("manifest.json", json)).recipe, manifest.recipe);
  EXPECT_THAT(json, testing::AllOf(testing::HasSubstr("\"007\": \"007\""), testing::HasSubstr("\"1-2\": \"1-2\""),
                                   testing::HasSubstr("\"1e-05\": 1e-05"), testing::HasSubstr("\"true\": true")));
}

TEST(Manifest, KeepsTheStatisticsOfTheData) {
  Manifest manifest;
  manifest.dataset = "d";
  const TempFolder temp;
  EXPECT_EQ(manifest.to_json().find("\"data\""), std::string::npos);
  manifest.data = R"({"articles":3,"rows":{"padding_share":0.25}})";
  manifest.warnings = {{"padding_share", "much \"padding\""}};
  const Manifest loaded = Manifest::load(temp.write("manifest.json", manifest.to_json()));
  EXPECT_EQ(loaded.data, manifest.data);
  ASSERT_EQ(loaded.warnings.size(), 1U);
  EXPECT_EQ(loaded.warnings.front().about, "padding_share");
  EXPECT_EQ(loaded.warnings.front().text, "much \"padding\"");
}

TEST(Manifest, NamesWhatItWasMadeFrom) {
  Manifest manifest;
  manifest.dataset = "d";
  const TempFolder temp;
  EXPECT_EQ(manifest.to_json().find("\"sources\""), std::string::npos);
  manifest.sources = {{"hf://datasets/org/set@abc/data", 2, 30, "ab"}};
  const auto read = Manifest::load(temp.write("manifest.json", manifest.to_json())).sources;
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].address, "hf://datasets/org/set@abc/data");
  EXPECT_EQ(read[0].files, 2U);
  EXPECT_EQ(read[0].bytes, 30U);
  EXPECT_EQ(read[0].sha256, "ab");
}

TEST(Manifest, KeepsTheVocabulary) {
  const TempFolder temp;
  for (const char* name : {"sample-uncased", ""}) {
    Manifest manifest;
    manifest.dataset = "d";
    manifest.vocabulary =
        ManifestVocab{.name = name, .sha256 = "ab", .size = 12, .lower_case = true, .strip_accents = false};
    const auto read = Manifest::load(temp.write("manifest.json", manifest.to_json())).vocabulary;
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->name, name);
    EXPECT_EQ(read->sha256, "ab");
    EXPECT_EQ(read->size, 12U);
    EXPECT_TRUE(read->lower_case);
    EXPECT_FALSE(read->strip_accents);
  }
}

}  // namespace
}  // namespace bertprep::test
