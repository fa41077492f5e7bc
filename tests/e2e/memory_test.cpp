// What `instances` needs of memory.
#include <charconv>

#include "e2e/e2e_test.h"

// Sanitizers keep several bytes for each of the program's.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BERTPREP_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BERTPREP_SANITIZED 1
#endif
#endif

namespace bertprep::test {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

class MemoryTest : public E2eTest {
 protected:
  void SetUp() override {
#ifdef BERTPREP_SANITIZED
    GTEST_SKIP() << "skipped: a sanitizer changes what memory is needed";
#endif
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

  // As many pieces as the sample gives: about as many bytes a token as in real text with a real vocabulary.
  std::string large_vocab() {
    succeed({"vocab", "train", sample("sample.wikitext"), "--vocab-size", "6000", "-q", "-o", path("large.txt")});
    return path("large.txt");
  }

 private:
  std::string sample_text_;
};

// The MiB that the message of a refusal asks for.
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

}  // namespace
}  // namespace bertprep::test
