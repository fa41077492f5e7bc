// The fast Punkt against the plain one, and its time on adversarial text.
#include <gtest/gtest.h>

#include <array>
#include <ctime>
#include <random>

#include "bertprep/text/sentences.h"
#include "support/golden_data.h"
#include "support/small_punkt.h"
#include "twins/punkt.h"
#include "unicode/utf8_text.h"

namespace bertprep::test {
namespace {

constexpr std::array<std::string_view, 84> kPieces = {".",
                                                      ".",
                                                      ".",
                                                      "!",
                                                      "?",
                                                      "..",
                                                      "...",
                                                      ". .",
                                                      ". . .",
                                                      ".\u00A0.\u2003.",
                                                      ".\n.",
                                                      ".\x1c.\x1c.",
                                                      "-",
                                                      "--",
                                                      "---",
                                                      ",",
                                                      ",,",
                                                      ";",
                                                      ":",
                                                      "(",
                                                      ")",
                                                      "[",
                                                      "]",
                                                      "{",
                                                      "}",
                                                      "\"",
                                                      "'",
                                                      "`",
                                                      "@",
                                                      "*",
                                                      "&",
                                                      "#",
                                                      "_",
                                                      "<unk>",
                                                      " ",
                                                      " ",
                                                      " ",
                                                      "  ",
                                                      "\t",
                                                      "\n",
                                                      "\r",
                                                      "\v",
                                                      "\f",
                                                      "\x1c",
                                                      "\x1f",
                                                      "\u0085",
                                                      "\u00A0",
                                                      "\u1680",
                                                      "\u2009",
                                                      "\u2028",
                                                      "\u205F",
                                                      "\u3000",
                                                      "\u200B",
                                                      "\uFEFF",
                                                      "Dr",
                                                      "dr.",
                                                      "u.s.",
                                                      "U.S.",
                                                      "e.g.",
                                                      "pm.",
                                                      "Army",
                                                      "army",
                                                      "J.",
                                                      "Bach",
                                                      "the",
                                                      "The",
                                                      "They",
                                                      "it",
                                                      "He",
                                                      "12.",
                                                      "-3,5.",
                                                      "\u0663.",
                                                      "\u2163.",
                                                      "\u00B2.",
                                                      "\u01C5.",
                                                      "\u039F\u03A3.",
                                                      "\u0394\u039F\u03A3",
                                                      "\u03A3",
                                                      "\u0130.",
                                                      "\u4E2D",
                                                      "\u3002",
                                                      "\U0001F600",
                                                      "\u00DF.",
                                                      "about"};

std::string random_text(std::mt19937& random) {
  std::string text;
  for (auto left = random() % 40; left > 0; --left) {
    text += kPieces[random() % kPieces.size()];
    if (random() % 3 == 0) text += ' ';
  }
  return text;
}

class Twins {
 public:
  explicit Twins(const std::filesystem::path& folder)
      : fast_(make_sentence_splitter({.rules = SentenceRules::kPunkt, .punkt = folder.string()})), plain_(folder) {}

  void compare(std::string_view text) {
    fast_->split(text, sentences_);
    ASSERT_EQ(std::vector<std::string>(sentences_.begin(), sentences_.end()), plain_.sentences(text))
        << testing::PrintToString(text);
  }

 private:
  std::shared_ptr<const SentenceSplitter> fast_;
  PlainPunkt plain_;
  std::vector<std::string_view> sentences_;
};

void compare_random(Twins twins, unsigned seed) {
  std::mt19937 random(seed);
  for (int i = 0; i < 30'000 && !testing::Test::HasFatalFailure(); ++i) twins.compare(random_text(random));
}

TEST(Punkt, SplitsRandomTextAsItsPlainTwinDoes) {
  const SmallPunkt punkt;
  compare_random(Twins(punkt.folder()), 1);
}

TEST(Punkt, SplitsAllShortTextsAsItsPlainTwinDoes) {
  const SmallPunkt punkt;
  Twins twins(punkt.folder());
  constexpr std::string_view kAlphabet = ".! )a-A,";
  std::string text;
  const auto extend = [&](const auto& self, int left) -> void {
    twins.compare(text);
    if (left == 0 || testing::Test::HasFatalFailure()) return;
    for (const char c : kAlphabet) {
      text += c;
      self(self, left - 1);
      text.pop_back();
    }
  };
  extend(extend, 5);
}

class PunktOnRealText : public GoldenTest {
 protected:
  std::filesystem::path english() const { return shared() / "models" / "punkt_tab" / "english"; }
};

TEST_F(PunktOnRealText, SplitsRandomTextAsItsPlainTwinDoes) {
  compare_random(Twins(english()), 2);
}

TEST_F(PunktOnRealText, SplitsEveryLineAsItsPlainTwinDoes) {
  Twins twins(english());
  std::size_t lines = 0;
  for (const char* folder : {"wikitext", "books", "jsonl"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(shared() / "corpora" / folder)) {
      if (!entry.is_regular_file() || entry.path().extension() == ".gz") continue;
      for (const std::string& line : read_lines(entry.path())) {
        if (find_invalid_utf8(line)) continue;
        twins.compare(line);
        if (HasFatalFailure()) return;
        ++lines;
      }
    }
  }
  EXPECT_GT(lines, 100'000U);
}

// A text of two million bytes that repeats `piece` between `before` and `after`.
struct Nasty {
  std::string_view before, piece, after;
};

constexpr std::array kNasty = {
    Nasty{"", ".", ""},
    Nasty{"a ", ".", " B"},
    Nasty{"", "! ", ""},
    Nasty{"", ". ", "B"},
    Nasty{"", "?", " B"},
    Nasty{"", ".)", " B"},
    Nasty{"", "a", ". B"},
    Nasty{"", "a.", " B"},
    Nasty{"", "a.)", " B"},
    Nasty{"", "-", ". B"},
    Nasty{"", "a-", ". B"},
    Nasty{"", "a,", ". B"},
    Nasty{"", ",--", ". B"},
    Nasty{"", ".\u00A0", "B"},
    Nasty{"", "!\u00A0", "B"},
    Nasty{"a. ", ".\u00A0", "B"},
    Nasty{"", "a .\u2003. ", "B"},
    Nasty{"a.", " ", "B"},
    Nasty{"", " ", ""},
    Nasty{"", "\u3000", ". B"},
    Nasty{"a. ", ")", " B"},
    Nasty{"a.", ")", ""},
    Nasty{"", "a. ) ", ""},
    Nasty{"", "\u03A3", ". B"},
    Nasty{"", "\u03A3''", ". B"},
    Nasty{"\u03A3", "'", "\u03A3. B"},
    Nasty{"", "12,", ". B"},
    Nasty{"", "J. ", "B"},
    Nasty{"", "dr. ", "B"},
    Nasty{"", "a.\"--", " B"},
};

void expect_linear_time(const SentenceSplitter& splitter) {
  std::vector<std::string_view> sentences;
  for (const Nasty& nasty : kNasty) {
    std::string text(nasty.before);
    while (text.size() < 2'000'000) text += nasty.piece;
    text += nasty.after;
    const std::clock_t start = std::clock();
    splitter.split(text, sentences);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    // Time quadratic in two million bytes would be many minutes, linear time is a fraction of a second.
    EXPECT_LT(seconds, 10) << testing::PrintToString(nasty.piece);
  }
}

TEST(Punkt, TakesTimeLinearInTheText) {
  const SmallPunkt punkt;
  expect_linear_time(*make_sentence_splitter({.rules = SentenceRules::kPunkt, .punkt = punkt.folder().string()}));
}

TEST(IcuSplitter, TakesTimeLinearInTheText) {
  expect_linear_time(*make_sentence_splitter({.rules = SentenceRules::kIcu}));
}

}  // namespace
}  // namespace bertprep::test
