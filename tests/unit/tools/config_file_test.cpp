#include "options/config_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

using test::TempFolder;

TEST(ConfigFile, ReadsItsOwnOutput) {
  const TempFolder temp;
  const std::vector<FieldValue> written = {{"name", "wiki \"2\"", true},
                                           {"seq-len", "128", false},
                                           {"masked-lm-prob", "0.15", false},
                                           {"force", "true", false}};
  const auto path = temp.write("config.json", config_file_text(written));
  const std::vector<FieldValue> read = read_config_file(path);
  ASSERT_EQ(read.size(), written.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].name, written[i].name);
    EXPECT_EQ(read[i].value, written[i].value);
  }
}

TEST(ConfigFile, RefusesOtherJson) {
  const TempFolder temp;
  EXPECT_THROW(read_config_file(temp.write("a.json", "[1, 2]")), FormatError);
  EXPECT_THROW(read_config_file(temp.write("b.json", "{\"seq-len\": [128]}")), FormatError);
  EXPECT_THROW(read_config_file(temp.write("c.json", "{\"seq-len\": 128")), FormatError);
  EXPECT_THROW(read_config_file(temp / "absent.json"), IoError);
}

TEST(ConfigFile, RefusesAKeyThatIsGivenTwice) {
  const TempFolder temp;
  const auto path = temp.write("a.json", R"({"train-shards": 4, "name": "n", "train-shards": 2})");
  try {
    read_config_file(path);
    ADD_FAILURE() << "one of them was ignored";
  } catch (const FormatError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("a.json: 'train-shards' is given twice; leave one of them out"));
  }
}

}  // namespace
}  // namespace bertprep
