// The sentence index made by formatting: found again, or treated as missing.
#include "pipeline/records/saved_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/input_file.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;

class SavedIndexTest : public testing::Test {
 protected:
  SavedIndexTest() {
    PendingFile pending = folder_.begin_for(index_.path());
    std::filesystem::copy_file(temp_.write("bytes", "an index"), pending.path());
    index_.save(pending, kText);
  }

  const std::string kText = std::string(64, '7');  // digest of the text
  TempFolder temp_;
  OutputFolder folder_{temp_ / "formatted"};
  std::shared_ptr<const SentenceSplitter> splitter_ = make_sentence_splitter({.rules = SentenceRules::kLines});
  SavedIndex index_{folder_, "a.txt", *splitter_, false};
  fs::path record_ = folder_.state_folder() / "records" / "a.txt.sentences.json";
};

TEST_F(SavedIndexTest, IsFoundForItsTextAndOptionsAlone) {
  const auto found = index_.find(kText);
  ASSERT_TRUE(found);
  EXPECT_EQ(read_file(*found), "an index");
  EXPECT_FALSE(index_.find(std::string(64, '8')));
  EXPECT_FALSE(SavedIndex(folder_, "a.txt", *splitter_, true).find(kText));
  EXPECT_FALSE(SavedIndex(folder_, "b.txt", *splitter_, false).find(kText));
}

TEST_F(SavedIndexTest, CountsAsAbsentWithAnyBitFlipped) {
  for (const fs::path& file : {*index_.find(kText), record_}) {
    const std::string bytes = read_file(file);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
      temp_.write(file.lexically_relative(temp_.path()).string(), damaged);
      EXPECT_FALSE(index_.find(kText)) << file << " " << at;
    }
    temp_.write(file.lexically_relative(temp_.path()).string(), "");
    EXPECT_FALSE(index_.find(kText)) << file;
    temp_.write(file.lexically_relative(temp_.path()).string(), bytes);
    EXPECT_TRUE(index_.find(kText)) << file;
  }
}

TEST_F(SavedIndexTest, IsRemovedWithItsRecord) {
  remove_saved_index(temp_ / "formatted" / "a.txt");
  EXPECT_FALSE(fs::exists(record_));
  EXPECT_FALSE(fs::exists(folder_.state_folder() / "a.txt.sentences"));
}

}  // namespace
}  // namespace bertprep::test
