// The stages' need for memory.
#include <charconv>
#include <fstream>

#include "e2e/e2e_test.h"
#include "support/sanitized.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

class MemoryTest : public E2eTest {
 protected:
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "skipped: a sanitizer changes what memory is needed";
  }

  // The sentences of the sample again and again, `bytes` of them.
  std::string text_shard(const std::string& name, std::size_t bytes) {
    if (sample_text_.empty()) {
      for (const std::string& shard : make_text_shards()) sample_text_ += read_bytes(shard);
    }
    std::string text;
    while (text.size() < bytes) text += sample_text_;
    return folder().write(name, text);
  }

  // As many pieces as the sample allows: about as many bytes per token as in real text with a real vocabulary.
  std::string large_vocab() {
    succeed({"vocab", "train", sample("sample.wikitext"), "--vocab-size", "6000", "-q", "-o", path("large.txt")});
    return path("large.txt");
  }

  // A file with a line of 300,000,000 bytes, which is never in this process's memory: a child would inherit its peak.
  std::string long_line(const std::string& name, const std::string& before, const std::string& after) {
    std::ofstream file(folder() / name, std::ios::binary);
    file << before;
    const std::string part(1'000'000, 'x');
    for (int i = 0; i < 300; ++i) file << part;
    file << after;
    return path(name);
  }

 private:
  std::string sample_text_;
};

// The MiB named in the message of a refusal.
std::uint64_t mebibytes_asked_for(const std::string& message) {
  const std::string before = "needs about ";
  const std::string number = message.substr(message.find(before) + before.size(), 10);
  std::uint64_t mebibytes = 0;
  std::from_chars(number.data(), number.data() + number.size(), mebibytes);
  return mebibytes;
}

TEST_F(MemoryTest, OfALargeTextShardIsBoundedAndForetold) {
  const std::string text = text_shard("large_text.txt", 18'000'000);
  const Arguments command = {"instances", text, "--vocab", large_vocab(), "-o", path("out")};
  const Finished refused = fail(1, command + Arguments{"--memory", "100M"}, {"text shard needs about"});
  const std::uint64_t foretold = mebibytes_asked_for(refused.err) * kMebibyte;
  const Finished finished = succeed(command);
  RecordProperty("peak_mebibytes", static_cast<int>(finished.peak_memory_bytes / kMebibyte));
  EXPECT_LE(finished.peak_memory_bytes, 400 * 1'000'000U);
  EXPECT_LE(finished.peak_memory_bytes, foretold);
  EXPECT_GE(finished.peak_memory_bytes, foretold / 4) << "the estimate is far too high";
}

TEST_F(MemoryTest, LimitMakesFewerThreadsWork) {
  Arguments command = {"instances"};
  for (int i = 0; i < 6; ++i) command.push_back(text_shard("t" + std::to_string(i) + ".txt", 3'000'000));
  command = command + Arguments{"--vocab", large_vocab(), "--dupe-factor", "2", "-j", "6"};
  constexpr std::uint64_t kLimit = 110;
  const Finished free = succeed(command + Arguments{"-o", path("free")});
  const Finished limited =
      succeed(command + Arguments{"--memory", std::to_string(kLimit) + "M", "-o", path("limited")});
  EXPECT_LE(limited.peak_memory_bytes, kLimit * kMebibyte);
  EXPECT_GT(free.peak_memory_bytes, limited.peak_memory_bytes);
  EXPECT_EQ(difference(read_tree(path("free")), read_tree(path("limited"))), "");
}

// A line, a book or a vocabulary of any size takes no more memory than allowed.
TEST_F(MemoryTest, StreamsPastLongRecords) {
  constexpr std::uint64_t kLimit = 100;
  const std::string articles = long_line("long.txt", "One came.\n", "\nTwo went.\n");
  const auto format = [&](const std::string& input, const std::string& as) {
    return succeed(
        {"format", input, "--format", as, "--memory", std::to_string(kLimit) + "M", "-o", path(as + ".out")});
  };
  const Finished finished = format(articles, "articles");
  EXPECT_LE(finished.peak_memory_bytes, kLimit * kMebibyte);
  EXPECT_THAT(finished.err, HasSubstr("rejected: " + articles + ":2: it is too long: 300000000 bytes, where"));
  EXPECT_EQ(read_bytes(path("articles.out")), "One came.\nTwo went.\n");
  const std::string wikitext =
      long_line("long.wikitext", " \n = One = \n \n a b\n \n = Two = \n \n ", "\n \n = Three = \n \n c d\n");
  EXPECT_LE(format(wikitext, "wikitext").peak_memory_bytes, kLimit * kMebibyte);
  EXPECT_EQ(read_bytes(path("wikitext.out")), "a b\nc d\n");
}

TEST_F(MemoryTest, OfArticlesAtTheLimitIsKept) {
  constexpr std::uint64_t kLimit = 200;
  const std::string sentence = "It rains and it snows in the small town here. ";
  std::ofstream text(folder() / "in.txt", std::ios::binary);
  for (int i = 0; i < 12; ++i) {
    for (std::size_t bytes = 0; bytes < 8'400'000; bytes += sentence.size()) text << sentence;
    text << "\nA short one. And more.\n";
  }
  text.close();
  const std::string input = path("in.txt");
  const Finished finished = succeed({"format", input, "--format", "articles", "--memory", std::to_string(kLimit) + "M",
                                     "-j", "4", "-o", path("out.txt")});
  EXPECT_THAT(finished.err, testing::Not(HasSubstr("rejected")));
  EXPECT_LE(finished.peak_memory_bytes, kLimit * kMebibyte);
  const Finished sharded =
      succeed({"shard", path("out.txt"), "--name", "a", "--sentences", "icu", "--memory", std::to_string(kLimit) + "M",
               "--train-shards", "2", "--test-shards", "1", "-j", "4", "-o", path("shards")});
  EXPECT_LE(sharded.peak_memory_bytes, kLimit * kMebibyte);
}

TEST_F(MemoryTest, AnArticleThatMayNotFitIsRefusedAtTheStart) {
  const std::string input = folder().write("in.txt", "A short one. And more.\n");
  const Arguments limits = {"--memory", "100M", "--max-article", "64M"};
  const std::vector<std::string> words = {"--max-article 64M needs more than --memory 100M, which allows 2M"};
  fail(2, Arguments{"format", input, "--format", "articles", "-o", path("out.txt")} + limits, words);
  fail(2, run_sample() + limits, words);
  fail(2, run_sample() + limits + Arguments{"--stage", "fetch"}, words);
  EXPECT_FALSE(std::filesystem::exists(path("work")));
  succeed({"format", input, "--format", "articles", "-o", path("out.txt"), "--memory", "100M", "--max-article", "2M"});
}

TEST_F(MemoryTest, AVocabularyOfOneHugeLineIsNone) {
  const std::string vocab =
      folder().write("v.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n" + std::string(100'000'000, 'x') + "\n");
  const Finished refused = fail(1, {"instances", text_shard("t.txt", 1000), "--vocab", vocab, "-o", path("out")},
                                {"v.txt: this is not a vocabulary: it has more than 32 MiB"});
  EXPECT_LE(refused.peak_memory_bytes, 100 * kMebibyte);
}

TEST_F(MemoryTest, AVocabularyOfMillionsOfLinesIsNone) {
  std::string lines;
  for (int i = 0; i < 2'000'000; ++i) lines += "w" + std::to_string(i) + "\n";
  const std::string vocab = folder().write("v.txt", lines);
  const Finished refused = fail(1, {"instances", text_shard("t.txt", 1000), "--vocab", vocab, "-o", path("out")},
                                {"v.txt: this is not a vocabulary: it has more than 1048576 lines"});
  EXPECT_LE(refused.peak_memory_bytes, 100 * kMebibyte);
}

}  // namespace
}  // namespace bertprep::test
