// Instances: nanoseconds per instance, over documents of random tokens with sentences of about 25 tokens.
//
//   MakeInstances/128, /512   pairs, masks and the final shuffle of one shard: dupe factor 5, 20 and 80 predictions
//   CopyRows/128, /512        its rows written in their final order, 256 and 64 rows at a time, into reused memory
//   ShufflePartners/N         the draws of one shuffle of N values
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "base/random.h"
#include "bertprep/instance/instance_set.h"

namespace bertprep {
namespace {

constexpr TokenId kVocabularySize = 30522;

TokenizedDocuments made_up_documents(std::size_t tokens) {
  std::mt19937 engine(1);
  std::lognormal_distribution<> sentence_length(3.05, 0.6);
  std::geometric_distribution<> document_length(1.0 / 60);
  std::uniform_int_distribution<TokenId> token(1000, kVocabularySize - 1);
  TokenizedDocuments documents;
  while (documents.tokens() < tokens) {
    for (int sentence = document_length(engine); sentence >= 0; --sentence) {
      const auto length = std::clamp(static_cast<int>(sentence_length(engine)), 1, 300);
      for (int k = 0; k < length; ++k) documents.ids.push_back(token(engine));
      documents.sentence_begin.push_back(documents.tokens());
    }
    documents.document_begin.push_back(documents.sentences());
  }
  return documents;
}

struct Workload {
  explicit Workload(std::int64_t seq_len) : documents(made_up_documents(1'000'000)), words(kVocabularySize) {
    std::iota(words.begin(), words.end(), 0);
    options.seq_len = seq_len;
    options.max_predictions = seq_len == 128 ? 20 : 80;
  }
  InstanceVocab vocab() const { return {.cls = 101, .sep = 102, .mask = 103, .random_words = words}; }

  TokenizedDocuments documents;
  std::vector<TokenId> words;
  InstanceOptions options;
};

void report(benchmark::State& state, std::int64_t instances) {
  state.SetItemsProcessed(state.iterations() * instances);
  state.counters["time_per_instance"] = benchmark::Counter(static_cast<double>(state.iterations() * instances),
                                                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void MakeInstances(benchmark::State& state) {
  const Workload workload(state.range(0));
  std::size_t rows = 0;
  for (auto _ : state) {
    const InstanceSet set(workload.documents, workload.vocab(), workload.options);
    rows = set.rows();
    state.counters["draws_per_instance"] = static_cast<double>(set.random_draws()) / static_cast<double>(rows);
  }
  report(state, static_cast<std::int64_t>(rows));
}
BENCHMARK(MakeInstances)->Arg(128)->Arg(512)->Unit(benchmark::kMillisecond);

void CopyRows(benchmark::State& state) {
  const Workload workload(state.range(0));
  const InstanceSet set(workload.documents, workload.vocab(), workload.options);
  const auto seq_len = static_cast<std::size_t>(workload.options.seq_len);
  const std::size_t rows_at_once = seq_len == 128 ? 256 : 64;
  Batch batch;
  for (auto _ : state) {
    for (std::size_t row = 0; row < set.rows(); row += rows_at_once) {
      set.copy_rows(row, std::min(rows_at_once, set.rows() - row), batch);
      benchmark::DoNotOptimize(batch.input_ids.data());
    }
  }
  report(state, static_cast<std::int64_t>(set.rows()));
}
BENCHMARK(CopyRows)->Arg(128)->Arg(512)->Unit(benchmark::kMillisecond);

void ShufflePartners(benchmark::State& state) {
  const auto count = static_cast<std::uint32_t>(state.range(0));
  std::vector<std::uint16_t> partners(count);
  Random random("12345");
  for (auto _ : state) {
    random.shuffle_partners(count, partners.data());
    benchmark::DoNotOptimize(partners.data());
  }
}
BENCHMARK(ShufflePartners)->Arg(125)->Arg(509);

}  // namespace
}  // namespace bertprep
BENCHMARK_MAIN();
