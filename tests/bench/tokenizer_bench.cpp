// Tokenizer benchmarks, in MB of text per second on one core.
//
//   encode/english     the lines of wikitext-2 train, one call per line, cache warm
//   encode/english20   the same, 20 lines per call
//   encode/cased       the lines of wikitext-2 with a cased vocabulary, no lower case
//   encode/mixed       the Universal Declaration in 194 languages, one call per language, with an English vocabulary
//   encode/german      a German novel, one call per line, with a multilingual vocabulary of 106,000 pieces
//   encode/bulgarian   the Universal Declaration in one language, with that vocabulary
//   encode/urdu        likewise
//   encode/chinese     likewise
//   construct          tables and trie of a 30,000-piece vocabulary
//   twin               basic_tokens() of the English lines, by the twin
//
// The text and the vocabularies are in $BERTPREP_SHARED, by default ../shared beside the checkout. Without them, the
// benchmark makes up words.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "bertprep/token/tokenizer.h"
#include "support/golden_data.h"
#include "twins/tokenizer.h"

namespace bertprep {
namespace {

std::string random_word(std::mt19937& draws) {
  const std::size_t letters = 1 + std::min(draws() % 12, draws() % 12);
  std::string word;
  for (std::size_t i = 0; i < letters; ++i) word += static_cast<char>('a' + std::min(draws() % 26, draws() % 26));
  return word;
}

std::vector<std::string> made_lines() {
  std::mt19937 draws(1);
  std::vector<std::string> words, lines;
  for (int i = 0; i < 20000; ++i) words.push_back(random_word(draws));
  for (int i = 0; i < 20000; ++i) {
    lines.emplace_back();
    for (int n = 0; n < 20; ++n) lines.back() += words[draws() % (1 + draws() % words.size())] + " ";
  }
  return lines;
}

std::vector<std::string> lines_of(const std::string& corpus, std::size_t lines_a_call = 1) {
  const auto path = test::shared_folder() / "corpora" / corpus;
  const auto lines = std::filesystem::exists(path) ? test::read_lines(path) : made_lines();
  std::vector<std::string> calls;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i % lines_a_call == 0) calls.emplace_back();
    calls.back() += lines[i] + "\n";
  }
  return calls;
}

Vocab vocabulary(const std::string& name) {
  const auto path = test::shared_folder() / name;
  if (std::filesystem::exists(path)) return Vocab::load(path);
  std::mt19937 draws(2);
  std::vector<std::string> pieces;
  for (char c = 'a'; c <= 'z'; ++c) pieces.insert(pieces.end(), {std::string(1, c), "##" + std::string(1, c)});
  for (int i = 0; i < 30000; ++i) pieces.push_back((i % 4 == 0 ? "##" : "") + random_word(draws) + std::to_string(i));
  return test::make_vocab(pieces);
}

void encode(benchmark::State& state, const std::vector<std::string>& calls, const std::string& vocab_name,
            bool lower_case) {
  const Vocab vocab = vocabulary(vocab_name);
  Tokenizer tokenizer(vocab, {.lower_case = lower_case});
  std::vector<TokenId> ids;
  std::size_t bytes = 0, tokens = 0;
  for (auto _ : state) {
    for (const std::string& text : calls) {
      ids.clear();
      tokens += tokenizer.encode(text, ids);
      bytes += text.size();
    }
    benchmark::DoNotOptimize(ids.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
  state.SetItemsProcessed(static_cast<std::int64_t>(tokens));
}

constexpr const char* kEnglish = "wikitext/wt2-train.txt";
constexpr const char* kMixed = "jsonl/udhr-shared.jsonl";
constexpr const char* kUncased = "models/vocab/bert-large-uncased-vocab.txt";
constexpr const char* kCased = "models/vocab/bert-large-cased-vocab.txt";
constexpr const char* kMultilingual = "corpora/vectors/vocab/bert-base-multilingual-uncased.vocab.txt";

std::vector<std::string> declaration_in(const std::string& language) {
  auto lines = lines_of(kMixed);
  std::erase_if(lines, [&](const std::string& line) {
    return line.starts_with("{") && line.find("\"lang\": \"" + language + "\"") == std::string::npos;
  });
  return lines;
}

void english(benchmark::State& state) {
  encode(state, lines_of(kEnglish), kUncased, true);
}
void english20(benchmark::State& state) {
  encode(state, lines_of(kEnglish, 20), kUncased, true);
}
void mixed(benchmark::State& state) {
  encode(state, lines_of(kMixed), kUncased, true);
}
void cased(benchmark::State& state) {
  encode(state, lines_of(kEnglish), kCased, false);
}
void german(benchmark::State& state) {
  encode(state, lines_of("books/de/fontane_effi.txt"), kMultilingual, true);
}
void bulgarian(benchmark::State& state) {
  encode(state, declaration_in("bul"), kMultilingual, true);
}
void urdu(benchmark::State& state) {
  encode(state, declaration_in("urd"), kMultilingual, true);
}
void chinese(benchmark::State& state) {
  encode(state, declaration_in("cmn_hant"), kMultilingual, true);
}

void construct(benchmark::State& state) {
  const Vocab vocab = vocabulary(kUncased);
  for (auto _ : state) {
    Tokenizer tokenizer(vocab, {});
    benchmark::DoNotOptimize(&tokenizer);
  }
}

void twin(benchmark::State& state) {
  const auto lines = lines_of(kEnglish);
  std::size_t bytes = 0;
  for (auto _ : state) {
    for (std::size_t i = 0; i < lines.size() && i < 1000; ++i) {
      benchmark::DoNotOptimize(basic_tokens(lines[i], {}));
      bytes += lines[i].size();
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

BENCHMARK(english)->Name("encode/english");
BENCHMARK(english20)->Name("encode/english20");
BENCHMARK(cased)->Name("encode/cased");
BENCHMARK(mixed)->Name("encode/mixed");
BENCHMARK(german)->Name("encode/german");
BENCHMARK(bulgarian)->Name("encode/bulgarian");
BENCHMARK(urdu)->Name("encode/urdu");
BENCHMARK(chinese)->Name("encode/chinese");
BENCHMARK(construct)->Unit(benchmark::kMillisecond);
BENCHMARK(twin);

}  // namespace
}  // namespace bertprep

BENCHMARK_MAIN();
