// What one command writes, another knows: status and verify of everything.
#include <fstream>

#include "e2e/e2e_test.h"
#include "io/input_file.h"

namespace bertprep::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
namespace fs = std::filesystem;

class KnownOutputsTest : public E2eTest {
 protected:
  void format_sample() {
    succeed({"format", sample("sample.wikitext"), "-o", path("p/articles.txt")});
    succeed({"vocab", "train", path("p/articles.txt"), "--vocab-size", "700", "-o", path("p/pieces.txt")});
  }
  // Flips 50 bits spread over the file, one at a time; returns how many `verify PATH` names.
  int flips_found(const fs::path& file, const std::string& given) {
    const std::string bytes = read_file(file);
    int found = 0;
    for (std::size_t i = 0; i < 50; ++i) {
      std::string flipped = bytes;
      flipped[bytes.size() * i / 50] ^= static_cast<char>(1U << i % 8);
      std::ofstream(file, std::ios::binary) << flipped;
      const Finished finished = bertprep({"verify", "-q", given});
      found += finished.exit_status == 1 &&
               finished.out.find(file.filename().string() + ": has sha256 ") != Finished().out.npos;
    }
    std::ofstream(file, std::ios::binary) << bytes;
    succeed({"verify", given});
    return found;
  }
  void expect_done(const std::string& given, const std::string& line) {
    const Finished status = succeed({"status", given});
    EXPECT_THAT(status.out, ContainsRegex("\n" + line + " +done "));
    EXPECT_THAT(status.out, HasSubstr("\ndone; bertprep verify " + given + " checks every byte\n"));
    EXPECT_THAT(succeed({"verify", given}).err, HasSubstr(", sound"));
  }
};

TEST_F(KnownOutputsTest, VerifyFindsEveryFlippedBitOfTextAndVocabularies) {
  format_sample();
  for (const char* name : {"p/articles.txt", "p/pieces.txt"}) {
    EXPECT_EQ(flips_found(path(name), path(name)), 50) << name;
    EXPECT_EQ(flips_found(path(name), path("p")), 50) << name;
  }
  EXPECT_EQ(flips_found(path("p/articles.txt.origins.jsonl"), path("p")), 50);
}

TEST_F(KnownOutputsTest, VerifySaysWhatItCanNotKnow) {
  folder().write("p/mine.txt", "text\n");
  fail(1, {"verify", path("p/mine.txt")}, {"mine.txt: is not a shard", "no command's completion record names it"});
  fail(1, {"verify", path("p")}, {"contains no .hdf5 or .h5 file"});
  format_sample();
  fail(1, {"verify", path("p/mine.txt")}, {"no command's completion record names it"});
  std::ofstream(folder() / "p/articles.txt", std::ios::app) << "more\n";
  const Finished changed = bertprep({"verify", path("p")});
  EXPECT_EQ(changed.exit_status, 1);
  EXPECT_THAT(changed.out, HasSubstr("articles.txt: has "));
  EXPECT_THAT(changed.out, HasSubstr("run the command again: its stage 'format' remakes it"));
}

TEST_F(KnownOutputsTest, TextAndVocabulariesHaveAStatus) {
  format_sample();
  make_text_shards("sh");
  succeed({"extract", sample("sample_wiki.xml"), "-o", path("ext")});
  expect_done(path("p"), "format");
  expect_done(path("p"), "vocab");
  expect_done(path("p/articles.txt"), "format");
  expect_done(path("p/pieces.txt"), "vocab");
  expect_done(path("sh"), "shard");
  expect_done(path("ext"), "extract");
  succeed({"verify", path("ext/AA/wiki_00")});
  succeed({"verify", "wiki_00"}, {.folder = path("ext/AA")});
  EXPECT_THAT(succeed({"status", "."}, {.folder = path("sh")}).out, StartsWith("sample\n"));

  fs::resize_file(folder() / "sh/sample_training_1.txt", 10);
  const Finished damaged = bertprep({"status", path("sh")});
  EXPECT_EQ(damaged.exit_status, 1);
  EXPECT_THAT(damaged.out, HasSubstr("sample_training_1.txt has the wrong size\ndamaged; run the same command again"));
}

TEST_F(KnownOutputsTest, RowsAndSequencesHaveAStatusWithoutARun) {
  const std::vector<std::string> texts = make_text_shards();
  succeed(Arguments{"instances"} + texts + Arguments{"--vocab", vocab(), "-o", path("sets/rows")});
  for (const std::string format : {"mds", "megatron", "hdf5"}) {
    succeed({"sequences", texts[0], texts[2], "--vocab", vocab(), "--to", format, "-o", path("sets/" + format)});
    expect_done(path("sets/" + format), "sequences");
  }
  expect_done(path("sets/rows"), "instances 128");
  fail(1, {"hash", path("sets/mds")}, {"is a set of 'bertprep sequences'", "inspect and report"});
  const Finished all = succeed({"status", path("sets")});
  for (const char* name : {"hdf5\n", "mds\n", "megatron\n", "rows\n"}) EXPECT_THAT(all.out, HasSubstr(name));
}

// The advice of `doctor` puts the new shards beside the old ones.
TEST_F(KnownOutputsTest, ReshardedShardsAreDone) {
  succeed(run_sample());
  const std::string fixed = phase1().string() + "-equal";
  succeed({"reshard", phase1(), "--equal-rows", "drop", "-o", fixed});
  const Finished all = succeed({"status", path("root"), "--work", path("work")});
  EXPECT_THAT(all.out,
              ContainsRegex("\nsample-equal\n.*\nreshard 128 +done +6/6 +- +[0-9,]+ .*\nmanifest +done +1/1 "));
  EXPECT_THAT(all.out, Not(HasSubstr("damaged")));
  expect_done(fixed, "reshard 128");
  expect_done(phase1().string(), "instances 512");
  fs::remove(fs::path(fixed) / "sample_test_0.hdf5");
  EXPECT_THAT(bertprep({"status", fixed}).out, HasSubstr("sample_test_0.hdf5 is lost"));
}

}  // namespace
}  // namespace bertprep::test
