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

}  // namespace
}  // namespace bertprep::test
