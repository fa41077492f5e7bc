// Real text of many languages: the same ids as the plain twin on every line.
#include <algorithm>
#include <unordered_map>

#include "support/golden_data.h"
#include "twins/tokenizer.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

bool is_packed(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".bz2" || extension == ".gz" || extension == ".zst" || extension == ".7z";
}

// The twin with a cache of lines, since corpora repeat words far more than they repeat mistakes.
class RememberingTwin {
 public:
  RememberingTwin(const Vocab& vocab, const TokenizerOptions& options) : vocab_(vocab), options_(options) {}

  const std::vector<TokenId>& encode(const std::string& token) {
    const auto [found, is_new] = ids_.try_emplace(token);
    if (is_new) found->second = test::plain_encode(vocab_, options_, token);
    return found->second;
  }

 private:
  const Vocab& vocab_;
  TokenizerOptions options_;
  std::unordered_map<std::string, std::vector<TokenId>> ids_;
};

class Corpora : public test::GoldenTest {
 protected:
  void expect_same_ids(const std::string& vocab_name, bool lower_case) {
    const Vocab vocab = Vocab::load(shared() / "models" / "vocab" / vocab_name);
    const TokenizerOptions options{.lower_case = lower_case};
    Tokenizer tokenizer(vocab, options);
    RememberingTwin twin(vocab, options);
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(shared() / "corpora")) {
      if (!entry.is_regular_file() || is_packed(entry.path())) continue;
      const std::string text = test::read_bytes(entry.path());
      if (find_invalid_utf8(text)) continue;
      ++files;
      SCOPED_TRACE(entry.path().string());
      ASSERT_NO_FATAL_FAILURE(expect_same_lines(text, tokenizer, twin));
      ASSERT_EQ(test::encode(tokenizer, text).size(), tokens_);
    }
    EXPECT_GT(files, 50U);
  }

  void expect_same_lines(const std::string& text, Tokenizer& tokenizer, RememberingTwin& twin) {
    tokens_ = 0;
    std::vector<TokenId> expected;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const std::string line = text.substr(begin, end - begin);
      expected.clear();
      for (const std::string& token : split_at_blanks(line)) {
        const auto& ids = twin.encode(token);
        expected.insert(expected.end(), ids.begin(), ids.end());
      }
      ASSERT_EQ(test::encode(tokenizer, line), expected) << line.substr(0, 2000);
      tokens_ += expected.size();
      begin = end + 1;
    }
  }

  // No rule of the tokenizer extends across a blank.
  static std::vector<std::string> split_at_blanks(const std::string& line) {
    std::vector<std::string> tokens;
    for (std::size_t begin = 0; begin < line.size();) {
      const std::size_t end = std::min(line.find(' ', begin), line.size());
      if (end > begin) tokens.push_back(line.substr(begin, end - begin));
      begin = end + 1;
    }
    return tokens;
  }

  std::size_t tokens_ = 0;
};

TEST_F(Corpora, Uncased) {
  expect_same_ids("bert-large-uncased-vocab.txt", true);
}
TEST_F(Corpora, Cased) {
  expect_same_ids("bert-large-cased-vocab.txt", false);
}

}  // namespace
}  // namespace bertprep
