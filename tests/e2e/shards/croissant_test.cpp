// croissant as a user runs it.
#include <fstream>

#include "e2e/e2e_test.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

class CroissantCommandTest : public E2eTest {
 protected:
  void SetUp() override {
    succeed(run_sample());
    shards_ = phase1().string();
    document_ = shards_ + "/croissant.json";
  }

  std::string shards_;
  std::string document_;
};

TEST_F(CroissantCommandTest, DescribesTheFolderItLiesIn) {
  const FileTree before = read_tree(folder() / "root");
  const Finished finished = succeed({"croissant", shards_});
  EXPECT_THAT(finished.err, AllOf(HasSubstr("--license, --url, --creator, --date\n"), HasSubstr("describes 7 files")));
  EXPECT_THAT(finished.out, IsEmpty());
  FileTree after = read_tree(folder() / "root");
  EXPECT_EQ(after.size(), before.size() + 1);
  const std::string bytes = read_bytes(document_);
  EXPECT_THAT(bytes, AllOf(HasSubstr("\"@id\": \"sample_training_3.hdf5\""), HasSubstr("\"@id\": \"vocab.txt\"")));
  succeed({"verify", shards_});
  EXPECT_THAT(succeed(run_sample()).err, testing::Not(HasSubstr("croissant")));
  EXPECT_EQ(read_bytes(document_), bytes);
  EXPECT_EQ(succeed({"croissant", shards_, "-o", "-"}).out, bytes);
  expect_nothing_unfinished(folder() / "root");
}

TEST_F(CroissantCommandTest, ReplacesNothingUnasked) {
  std::ofstream(document_) << "{}";
  fail(1, {"croissant", shards_}, {document_, "exists with other content", "--force"});
  EXPECT_EQ(read_bytes(document_), "{}");
  const Arguments described{"croissant", shards_, "--license", "https://example.org/license"};
  const Finished finished = succeed(described + Arguments{"--force", "--json"});
  EXPECT_THAT(finished.out, HasSubstr(R"({"event":"described","dataset":"sample",)"));
  EXPECT_THAT(read_bytes(document_), HasSubstr("\"license\": \"https://example.org/license\""));
  succeed(described);
  fail(1, {"croissant", shards_}, {document_, "exists with other content"});
}

TEST_F(CroissantCommandTest, VerifyFindsOutdatedDigests) {
  succeed({"croissant", shards_});
  std::string bytes = read_bytes(document_);
  const std::size_t digest = bytes.find("\"sha256\": \"") + 11;
  bytes[digest] = bytes[digest] == '0' ? '1' : '0';
  std::ofstream(document_) << bytes;
  const Finished finished = bertprep({"verify", shards_});
  EXPECT_EQ(finished.exit_status, 1);
  EXPECT_THAT(finished.out, HasSubstr("croissant.json: has another sha256 of sample_test_0.hdf5 than the manifest"));
}

TEST_F(CroissantCommandTest, RefusesNamesThatMislead) {
  fail(2, {"croissant", shards_, "-o", path("x_training.json")}, {"'training' in its name"});
  fail(2, {"croissant", shards_, "-o", shards_ + "/manifest.json", "--force"}, {"not manifest.json"});
  fail(2, {"croissant", shards_, "-o", path("x.hdf5")}, {"ends in .json"});
  fail(2, {"croissant", shards_, "-o", "-", "--json"}, {"both write to stdout"});
  fail(2, {"croissant", shards_, "--license", "CC BY-SA"}, {"--license CC BY-SA is not a URL"});
  fail(2, {"croissant", shards_, "--date", "2026-02-29"}, {"YYYY-MM-DD"});
  fs::create_directory(path("x.json"));
  fail(1, {"croissant", shards_, "-o", path("x.json"), "--force"}, {"a file is expected here"});
  fail(1, {"croissant", path("")}, {"contains no manifest.json", "finished dataset"});
  fs::resize_file(fs::path(shards_) / "sample_training_1.hdf5", 100);
  fail(1, {"croissant", shards_}, {"sample_training_1.hdf5: has sha256 ", "the manifest says"});
  EXPECT_FALSE(fs::exists(document_));
}

}  // namespace
}  // namespace bertprep::test
