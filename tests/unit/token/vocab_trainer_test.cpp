#include "bertprep/token/vocab_trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <sstream>

#include "bertprep/base/error.h"
#include "bertprep/token/tokenizer.h"
#include "support/golden_data.h"

namespace bertprep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

using Pieces = std::vector<std::string>;

Pieces train(const VocabTrainerOptions& options, const std::vector<std::string>& texts) {
  VocabTrainer trainer(options);
  for (const std::string& text : texts) trainer.add_text(text);
  return trainer.train();
}

TEST(VocabTrainer, JoinsTheMostFrequentPairFirst) {
  // ##a ##b and a ##a occur twice, then a ##ab twice, then a ##b once.
  EXPECT_THAT(train({.min_frequency = 1}, {"aab aab ab"}),
              ElementsAre("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b", "##a", "##b", "##ab", "aab", "ab"));
}

TEST(VocabTrainer, StopsAtTheSizeAndAtTheFrequency) {
  EXPECT_THAT(train({.vocab_size = 10, .min_frequency = 1}, {"aab aab ab"}), testing::SizeIs(10));
  EXPECT_THAT(train({.min_frequency = 2}, {"aab aab ab"}), testing::SizeIs(11)) << "ab is seen once only";
}

TEST(VocabTrainer, LeavesOutRareLetters) {
  const Pieces pieces = train({.min_frequency = 2}, {"aa aa az"});
  EXPECT_THAT(pieces, Not(testing::Contains("z")));
  EXPECT_THAT(pieces, testing::Contains("aa"));
  EXPECT_THAT(train({.min_frequency = 1, .max_letters = 2}, {"cba cb c"}),
              ElementsAre("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "b", "c", "##b", "##c", "cb"));
  EXPECT_THAT(train({.vocab_size = 8, .min_frequency = 1}, {"cba cb c"}),
              ElementsAre("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "c", "##c"));
}

TEST(VocabTrainer, LooksAtWordsAsTheTokenizerDoes) {
  EXPECT_THAT(train({.min_frequency = 1}, {"\u00C9! [MASK] \u4E2D\u4E2D"}),
              ElementsAre("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "!", "e", "\u4E2D", "##e"));
  EXPECT_THAT(train({.min_frequency = 1, .lower_case = false}, {"Ab"}), IsSupersetOf({"A", "##b", "Ab"}));
}

TEST(VocabTrainer, KeepsAccentsOnRequest) {
  const Pieces pieces = train({.min_frequency = 1, .strip_accents = AccentStripping::kNo}, {"\u00C9a"});
  EXPECT_THAT(pieces, IsSupersetOf({"\u00e9", "##a", "\u00e9a"}));
  EXPECT_THAT(train({.min_frequency = 1, .lower_case = false, .strip_accents = AccentStripping::kYes}, {"\u00C9a"}),
              IsSupersetOf({"E", "##a", "Ea"}));
}

WordsChanged changed_by(const VocabTrainerOptions& options, const std::string& text) {
  VocabTrainer trainer(options);
  trainer.add_text(text);
  WordsChanged changed;
  trainer.train({}, nullptr, &changed);
  return changed;
}

TEST(VocabTrainer, CountsTheWordsThatItChanges) {
  const std::string text = "The \u00e9t\u00e9 the cat, NASA The [MASK] \uD55C " + std::string(101, 'x');
  const WordsChanged lower = changed_by({.min_frequency = 1}, text);
  EXPECT_EQ(lower.words, 4U) << "The, The, NASA, \u00e9t\u00e9: decomposed Hangul is what it was";
  EXPECT_EQ(lower.too_long, 1U);
  EXPECT_EQ(lower.all, 10U);
  const auto words = [&](bool lower_case, AccentStripping accents) {
    return changed_by({.min_frequency = 1, .lower_case = lower_case, .strip_accents = accents}, text).words;
  };
  EXPECT_EQ(words(true, AccentStripping::kNo), 3U);
  EXPECT_EQ(words(false, AccentStripping::kYes), 1U);
  EXPECT_EQ(words(false, AccentStripping::kNo), 0U);
  EXPECT_EQ(changed_by({.min_frequency = 1}, "A-" + std::string(70, 'b') + "-C a").words, 2U) << "of a long span";
}

TEST(VocabTrainer, RefusesTextWithoutWordsAndBadOptions) {
  EXPECT_THROW(train({}, {" \n [SEP]", ""}), FormatError);
  EXPECT_THROW(train({}, {std::string(101, 'a')}), FormatError);
  EXPECT_THROW(VocabTrainer({.vocab_size = 6}), ConfigError);
  EXPECT_THROW(VocabTrainer({.min_frequency = 0}), ConfigError);
}

// Recounts all pairs for every piece.
class PlainMerges {
 public:
  void add(const std::string& word) {
    Pieces pieces;
    for (const char letter : word) pieces.push_back(std::string(pieces.empty() ? "" : "##") + letter);
    words_.push_back(pieces);
  }

  Pieces learn(std::int64_t min_frequency) {
    Pieces learnt;
    while (true) {
      std::map<std::pair<std::string, std::string>, std::int64_t> pairs;
      for (const Pieces& word : words_) {
        for (std::size_t i = 0; i + 1 < word.size(); ++i) ++pairs[{word[i], word[i + 1]}];
      }
      const auto best = std::max_element(pairs.begin(), pairs.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
      if (best == pairs.end() || best->second < min_frequency) return learnt;
      const auto& [first, second] = best->first;
      const std::string joined = first + second.substr(2);
      for (Pieces& word : words_) join(word, first, second, joined);
      if (std::find(learnt.begin(), learnt.end(), joined) == learnt.end()) learnt.push_back(joined);
    }
  }

 private:
  static void join(Pieces& word, const std::string& first, const std::string& second, const std::string& joined) {
    for (std::size_t i = 0; i + 1 < word.size(); ++i) {
      if (word[i] != first || word[i + 1] != second) continue;
      word[i] = joined;
      word.erase(word.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
  }

  std::vector<Pieces> words_;
};

std::vector<std::string> random_words(std::mt19937& random) {
  std::vector<std::string> words(1 + random() % 60);
  for (std::string& word : words) {
    for (auto letters = 1 + random() % 8; letters > 0; --letters) word += static_cast<char>('a' + random() % 3);
  }
  return words;
}

TEST(VocabTrainer, LearnsWhatCountingAfreshLearns) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const std::vector<std::string> words = random_words(random);
    const auto min_frequency = static_cast<std::int64_t>(1 + random() % 3);
    PlainMerges plain;
    for (const std::string& word : words) plain.add(word);
    // Every letter is kept, so that both have the same words.
    std::vector<std::string> texts = words;
    texts.insert(texts.end(), 3, "a b c");
    const Pieces pieces = train({.min_frequency = min_frequency}, texts);
    EXPECT_EQ(Pieces(pieces.begin() + 11, pieces.end()), plain.learn(min_frequency)) << testing::PrintToString(words);
  }
}

// Cancels after this many calls.
class Impatient final : public Progress {
 public:
  explicit Impatient(int most) : left_(most) {}
  bool cancelled() const override { return --left_ < 0; }
  int left() const { return left_; }

 private:
  mutable int left_;
};

TEST(VocabTrainer, CanBeStoppedInEveryLoop) {
  VocabTrainer trainer({.vocab_size = 1000});
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "word" + std::to_string(i) + " ";
  trainer.add_text(text);
  const Impatient patient(1'000'000);
  trainer.train(patient);
  const int asked = 1'000'000 - patient.left();
  EXPECT_GT(asked, 3 * 20'000 / 4096);  // three loops over the words, and one over the pieces
  for (const int most : {0, 5, 10, asked - 1}) EXPECT_THROW(trainer.train(Impatient(most)), Cancelled) << most;
}

TEST(VocabTrainer, DoesNotDependOnTheOrderOfTheText) {
  std::mt19937 random(8);
  std::vector<std::string> words = random_words(random);
  words.push_back(std::string(40, 'a') + "-" + std::string(40, 'b'));
  const Pieces expected = train({.min_frequency = 1}, words);
  for (int round = 0; round < 20; ++round) {
    std::shuffle(words.begin(), words.end(), random);
    EXPECT_EQ(train({.min_frequency = 1}, words), expected);
    std::string text;
    for (const std::string& word : words) text += word + (round % 2 == 0 ? " " : "\n\t");
    EXPECT_EQ(train({.min_frequency = 1}, {text}), expected);
  }
}

std::size_t unknown_words(const Pieces& pieces, const std::string& text) {
  std::string file;
  for (const std::string& piece : pieces) file += piece + "\n";
  const Vocab vocab = Vocab::parse(file, "trained");
  std::vector<TokenId> ids;
  Tokenizer(vocab, {}).encode(text, ids);
  return static_cast<std::size_t>(std::count(ids.begin(), ids.end(), vocab.unk()));
}

TEST(VocabTrainer, LeavesNoWordOfItsTextUnknown) {
  const std::string text = "The naïve café – déjà vu! Straße, Σίσυφος, дом, 中文, 한국어; don't (stop) 1,234.5 £7 ½ ﬁn";
  for (const std::int64_t size : {160, 30522}) {
    EXPECT_EQ(unknown_words(train({.vocab_size = size, .min_frequency = 1}, {text}), text), 0U) << size;
  }
}

class VocabTrainerOnArticles : public GoldenTest {};

TEST_F(VocabTrainerOnArticles, LeavesNoWordOfTheArticlesUnknown) {
  const std::string text = read_bytes(goldens() / "A_wikitext2" / "wikitext-2_one_article_per_line.txt");
  const Pieces pieces = train({.vocab_size = 8000, .min_frequency = 1}, {text});
  EXPECT_EQ(pieces.size(), 8000U);
  EXPECT_EQ(unknown_words(pieces, text), 0U);
  EXPECT_THAT(pieces, IsSupersetOf({"the", "and", "##ing", "##ed"}));
}

TEST(VocabTrainer, CountsTheLettersThatItsLimitsLeaveOut) {
  VocabTrainer trainer({.vocab_size = 100, .min_frequency = 2, .max_letters = 3});
  trainer.add_text("aaa bbb cc dd e");
  LettersLeftOut left_out;
  trainer.train({}, &left_out);
  EXPECT_EQ(left_out.letters, 1U) << "d; e is rare";
  EXPECT_EQ(left_out.uses, 2U);
  EXPECT_EQ(left_out.all_uses, 11U);
  LettersLeftOut none;
  VocabTrainer roomy({.vocab_size = 100, .min_frequency = 2, .max_letters = 4});
  roomy.add_text("aaa bbb cc dd e");
  roomy.train({}, &none);
  EXPECT_EQ(none.letters, 0U);
}

}  // namespace
}  // namespace bertprep::test
