// Finished shards and texts of which a byte has changed: whatever reads them refuses.
#include <fstream>

#include "e2e/e2e_test.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// In the middle, where only a digest finds it in text.
void change_a_byte(const fs::path& file) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  const auto place = static_cast<std::streamoff>(fs::file_size(file) / 2);
  stream.seekg(place);
  const int byte = stream.get();
  stream.seekp(place);
  stream.put(static_cast<char>(byte == ' ' ? 'x' : byte ^ 1));
  ASSERT_TRUE(stream);
}

class ChangedFilesTest : public E2eTest {
 protected:
  void expect_refusal(const Arguments& arguments, const fs::path& file, const std::string& word) {
    fail(1, arguments, {file.filename().string(), word});
  }
};

TEST_F(ChangedFilesTest, ReadersOfShardsRefuse) {
  constexpr const char* kWord = "is not the file that the manifest describes";
  succeed(run_sample() + Arguments{"--phase", "1"});
  const std::string shards = phase1().string();
  succeed({"reshard", shards, "--shards", "2", "-o", path("sound")});
  const fs::path shard = phase1() / "sample_training_1.hdf5";
  const std::string bytes = read_tree(phase1()).at(shard.filename().string());
  change_a_byte(shard);
  expect_refusal({"reshard", shards, "--shards", "3", "-o", path("rs")}, shard, kWord);
  EXPECT_FALSE(fs::exists(path("rs") + "/manifest.json"));
  expect_refusal({"compare", shards, path("sound")}, shard, kWord);
  expect_refusal({"compare", path("sound"), shards}, shard, kWord);
  expect_refusal({"inspect", shard.string()}, shard, kWord);
  expect_refusal({"croissant", shards}, shard, "the manifest says");
  expect_refusal({"report", shards, "-o", path("page.html")}, shard, "another sha256 than the manifest says");
  EXPECT_FALSE(fs::exists(path("page.html")));
  const Finished doctor = bertprep({"doctor", shards});
  EXPECT_EQ(doctor.exit_status, 1);
  EXPECT_THAT(doctor.out, HasSubstr("(changed-file)"));
  // What was made of it before is found without it.
  succeed({"reshard", shards, "--shards", "2", "-o", path("sound")});
  std::ofstream(shard, std::ios::binary) << bytes;
  succeed({"reshard", shards, "--shards", "3", "-o", path("rs")});
}

// The digests in a new index would make it look sound.
TEST_F(ChangedFilesTest, ReadersOfSequencesRefuse) {
  const std::string set = path("set");
  succeed(Arguments{"sequences"} + make_text_shards() +
          Arguments{"--vocab", vocab(), "--name", "s", "--for", "modernbert", "-o", set});
  const fs::path index = path("set/train/00000/index.json");
  const fs::path shard = path("set/train/00000/shard.00000.mds");
  const std::string sound = read_bytes(index);
  change_a_byte(shard);
  for (const std::string split : {"set/train/00000", "set/train"}) {
    expect_refusal({"reindex", path(split)}, shard, "is not the file that the manifest describes");
  }
  EXPECT_EQ(read_bytes(index), sound);
  expect_refusal({"report", set, "-o", path("page.html")}, shard, "");
  EXPECT_FALSE(fs::exists(path("page.html")));
  EXPECT_THAT(bertprep({"doctor", path("set/train")}).out, HasSubstr("(other-digest)"));
  EXPECT_EQ(bertprep({"verify", set}).exit_status, 1);
}

TEST_F(ChangedFilesTest, ReadersOfTextRefuse) {
  constexpr const char* kWord = "has changed since it was written";
  const fs::path text = path("formatted/s.txt");
  succeed({"format", sample("sample.wikitext").string(), "--format", "wikitext", "-o", text.string()});
  succeed({"extract", sample("sample_wiki.xml").string(), "-o", path("extracted")});
  change_a_byte(text);
  const fs::path extracted = path("extracted/AA/wiki_00");
  change_a_byte(extracted);
  expect_refusal({"vocab", "train", text.string(), "--vocab-size", "400", "-o", path("trained.txt")}, text, kWord);
  expect_refusal({"format", text.string(), "--format", "articles", "-o", path("again.txt")}, text, kWord);
  expect_refusal({"shard", text.string(), "--name", "s", "--sentences", "icu", "-o", path("text")}, text, kWord);
  const Arguments documents = {"sequences", text.string(), "--format", "articles", "--vocab", vocab(), "--name", "s"};
  expect_refusal(documents + Arguments{"--for", "modernbert", "-o", path("set")}, text, kWord);
  EXPECT_FALSE(fs::exists(path("set/manifest.json")));
  expect_refusal({"format", path("extracted"), "--format", "wikiextractor", "-o", path("wiki.txt")}, extracted, kWord);
  EXPECT_FALSE(fs::exists(path("trained.txt")));
  EXPECT_FALSE(fs::exists(path("again.txt")));
  succeed({"vocab", "train", text.string(), "--vocab-size", "400", "-o", path("trained.txt"), "--force"});
}

}  // namespace
}  // namespace bertprep::test
