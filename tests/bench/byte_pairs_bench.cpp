// Benchmarks of byte-level BPE, in MB of text per second on one core.
//
//   encode/english    the lines of wikitext-2 train, one call per line, cache warm, by GPT-2's tokenizer
//   encode/neox       the same by OLMo's, which normalizes and looks for runs of blanks
//   encode/german     a German novel by GPT-2's, which spells most words in pieces
//   encode/mixed      the Universal Declaration in 194 languages, one call per language, by OLMo's
//   encode/made       made words by the sample tokenizer: the only one that needs no data outside the checkout
//   load              tokenizer.json of GPT-2, 1.4 MB
//   merge/long        a word of 100,000 letters
//   twin              the first 300 English lines, by the twin
//
// The text and the tokenizers are in $BERTPREP_SHARED, by default ../shared beside the checkout.
#include <benchmark/benchmark.h>

#include <random>

#include "support/golden_data.h"
#include "token/bpe/byte_pair_encoder.h"
#include "token/bpe/byte_pair_files.h"
#include "twins/byte_pairs.h"

namespace bertprep {
namespace {

std::shared_ptr<const BytePairModel> model_of(const std::string& name) {
  return std::make_shared<const BytePairModel>(read_byte_pairs(test::shared_folder() / "models" / "bpe" / name));
}

std::vector<std::string> lines_of(const std::string& corpus) {
  return test::read_lines(test::shared_folder() / "corpora" / corpus);
}

void encode_lines(benchmark::State& state, const std::vector<std::string>& lines,
                  std::shared_ptr<const BytePairModel> model) {
  BytePairEncoder encoder(std::move(model), SpecialInText::kText);
  std::vector<TokenId> ids;
  std::size_t bytes = 0, tokens = 0;
  for (auto _ : state) {
    for (const std::string& line : lines) {
      ids.clear();
      encoder.encode(line, ids);
      bytes += line.size() + 1;
      tokens += ids.size();
    }
    benchmark::DoNotOptimize(ids.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
  state.SetItemsProcessed(static_cast<std::int64_t>(tokens));
}

void shared_lines(benchmark::State& state, const char* corpus, const char* model) {
  if (!std::filesystem::exists(test::shared_folder() / "models" / "bpe")) {
    state.SkipWithError("needs the shared data");
    return;
  }
  encode_lines(state, lines_of(corpus), model_of(model));
}

std::shared_ptr<const BytePairModel> sample_model() {
  return std::make_shared<const BytePairModel>(read_byte_pairs(test::source_folder() / "samples" / "byte-pairs"));
}

void made(benchmark::State& state) {
  std::mt19937 draws(1);
  std::vector<std::string> words, lines;
  for (int i = 0; i < 5000; ++i) {
    words.emplace_back();
    for (std::size_t letters = 1 + draws() % 9; letters > 0; --letters) words.back() += "etaoinshr"[draws() % 9];
  }
  for (int i = 0; i < 5000; ++i) {
    lines.emplace_back();
    for (int n = 0; n < 20; ++n) lines.back() += " " + words[draws() % (1 + draws() % words.size())];
  }
  encode_lines(state, lines, sample_model());
}

void load(benchmark::State& state) {
  const auto path = test::shared_folder() / "models" / "bpe" / "gpt2" / "tokenizer.json";
  if (!std::filesystem::exists(path)) {
    state.SkipWithError("needs the shared data");
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(read_byte_pairs(path).tokens.data());
}

void merge_long(benchmark::State& state) {
  std::mt19937 draws(2);
  std::string word;
  for (int i = 0; i < 100000; ++i) word += "etaoinshr"[draws() % 9];
  encode_lines(state, {word}, sample_model());
}

void twin(benchmark::State& state) {
  const auto model = sample_model();
  const test::PlainBytePairs plain(*model);
  const auto lines = test::read_lines(test::source_folder() / "samples" / "sample.wikitext");
  std::size_t bytes = 0;
  for (auto _ : state) {
    for (std::size_t i = 0; i < lines.size() && i < 300; ++i) {
      benchmark::DoNotOptimize(plain.encode(SpecialInText::kText, lines[i]));
      bytes += lines[i].size();
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

BENCHMARK_CAPTURE(shared_lines, english, "wikitext/wt2-train.txt", "gpt2")->Name("encode/english");
BENCHMARK_CAPTURE(shared_lines, neox, "wikitext/wt2-train.txt", "olmo-neox")->Name("encode/neox");
BENCHMARK_CAPTURE(shared_lines, german, "books/de/fontane_effi.txt", "gpt2")->Name("encode/german");
BENCHMARK_CAPTURE(shared_lines, mixed, "jsonl/udhr-shared.jsonl", "olmo-neox")->Name("encode/mixed");
BENCHMARK(made)->Name("encode/made");
BENCHMARK(load)->Unit(benchmark::kMillisecond);
BENCHMARK(merge_long)->Name("merge/long");
BENCHMARK(twin);

}  // namespace
}  // namespace bertprep

BENCHMARK_MAIN();
