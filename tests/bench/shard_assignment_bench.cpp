// ShardAssignment of articles over 256 + 256 text shards.
//
//   PlaceArticles/N     N articles of encyclopedia-like lengths (log-normal, about 16 sentences, at most 5000)
//   PlaceEqual/N        N articles of one sentence
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "pipeline/text_shards/shard_assignment.h"

namespace bertprep {
namespace {

void place(benchmark::State& state, const std::vector<std::uint32_t>& sentences) {
  for (auto _ : state) benchmark::DoNotOptimize(place_articles(sentences, {.train_shards = 256, .test_shards = 256}));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void PlaceArticles(benchmark::State& state) {
  std::mt19937 engine(2);
  std::lognormal_distribution<> length(2.2, 1.1);
  std::vector<std::uint32_t> sentences(static_cast<std::size_t>(state.range(0)));
  for (auto& count : sentences) count = static_cast<std::uint32_t>(std::clamp(length(engine), 1.0, 5000.0));
  place(state, sentences);
}
BENCHMARK(PlaceArticles)->Arg(100'000)->Arg(7'000'000)->Unit(benchmark::kMillisecond);

void PlaceEqual(benchmark::State& state) {
  place(state, std::vector<std::uint32_t>(static_cast<std::size_t>(state.range(0)), 1));
}
BENCHMARK(PlaceEqual)->Arg(7'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bertprep
BENCHMARK_MAIN();
