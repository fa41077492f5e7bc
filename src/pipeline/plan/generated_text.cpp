#include "pipeline/plan/plan_steps.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string_view>
#include <vector>

#include "io/output_file.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWords = 20'000;
constexpr std::size_t kWordsInVocabulary = 12'000;
constexpr std::size_t kSentencesOfAnArticle = 40;
constexpr std::string_view kLetters = "etaoinshrdlucmfwypvbgkjqxz";

// std::mt19937 gives the same numbers everywhere, its distributions do not.
std::size_t below(std::mt19937& random, std::size_t limit) {
  return static_cast<std::size_t>(random()) % limit;
}

// Frequent words are short, rare ones long.
std::vector<std::string> make_words(std::mt19937& random) {
  std::vector<std::string> words(kWords);
  for (std::size_t i = 0; i < kWords; ++i) {
    const auto length = static_cast<std::size_t>(2 + std::log2(static_cast<double>(i + 1)) / 2) + below(random, 3);
    for (std::size_t k = 0; k < length; ++k) {
      words[i] += kLetters[std::min(below(random, kLetters.size()), below(random, kLetters.size()))];
    }
  }
  return words;
}

// Ranks as in Zipf's law: their logarithms are spread evenly.
std::size_t draw_rank(std::mt19937& random) {
  const double share = static_cast<double>(random()) / 4294967296.0;
  return static_cast<std::size_t>(std::pow(static_cast<double>(kWords), share)) - 1;
}

void write(const fs::path& file, const std::string& bytes) {
  OutputFile out(file);
  out.write(bytes);
  out.finish();
}

std::string make_articles(std::mt19937& random, const std::vector<std::string>& words, std::uint64_t bytes) {
  std::string text;
  while (text.size() < bytes) {
    for (std::size_t sentence = 0; sentence < kSentencesOfAnArticle; ++sentence) {
      const std::size_t length = 12 + below(random, 20);
      for (std::size_t i = 0; i < length; ++i) {
        std::string word = words[draw_rank(random)];
        if (i == 0) word[0] = static_cast<char>(word[0] - 'a' + 'A');
        text += word;
        text += i + 1 == length ? ". " : below(random, 12) == 0 ? " , " : " ";
      }
    }
    text.back() = '\n';
  }
  return text;
}

std::string make_vocabulary(const std::vector<std::string>& words) {
  std::string pieces = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n.\n,\n";
  for (const char letter : kLetters) pieces += std::string(1, letter) + "\n##" + letter + "\n";
  std::vector<std::string> known(words.begin(), words.begin() + kWordsInVocabulary);
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (const std::string& word : known) {
    if (word.size() > 1) pieces += word + "\n";
  }
  return pieces;
}

}  // namespace

CorpusPart write_generated_text(const fs::path& folder, std::uint64_t bytes, PipelineOptions& options) {
  std::mt19937 random(1);
  const std::vector<std::string> words = make_words(random);
  write(folder / "articles.txt", make_articles(random, words, bytes));
  write(folder / "vocab.txt", make_vocabulary(words));
  fs::create_directories(folder / "punkt");
  write(folder / "punkt" / "abbrev_types.txt", "dr\nu.s\n");
  write(folder / "punkt" / "collocations.tab", "##number##\tand\n");
  write(folder / "punkt" / "sent_starters.txt", "but\n");
  write(folder / "punkt" / "ortho_context.tab", "dark\t32\n");
  options.vocabulary = (folder / "vocab.txt").string();
  if (options.sentences.rules != SentenceRules::kIcu && options.sentences.custom == nullptr) {
    options.sentences.rules = SentenceRules::kPunkt;
    options.sentences.punkt = (folder / "punkt").string();
  }
  CorpusPart part{.inputs = {folder / "articles.txt"}};
  part.source.format = InputFormat::kArticles;
  return part;
}

}  // namespace bertprep
