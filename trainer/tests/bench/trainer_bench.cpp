// The trainer's loops on CPUs, and the processor's peak of multiply-adds.
//
//   LossOfRow             softmax, loss and gradient of one row of 30,528 logits
//   SharesOfRow           softmax of a row of 512 scores, and its gradient
//   DropValues, LambStep  32,768 values
//   MostF32, MostBf16     multiply-adds of one core on values in registers, by the instructions of AVX-512; a bfloat16
//                         instruction that has no more of them than f32's makes bf16 slow
#include <benchmark/benchmark.h>

#include <vector>

#include "trainer/kernels.h"
#include "trainer/machine.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace bertprep {
namespace {

std::vector<float> values_of(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i * 7919 % 1000) / 300;
  return values;
}

void LossOfRow(benchmark::State& state) {
  std::vector<float> logits = values_of(30528);
  for (auto _ : state) benchmark::DoNotOptimize(softmax_loss_row(logits.data(), 30528, 5, 1));
  state.SetItemsProcessed(state.iterations() * 30528);
}
BENCHMARK(LossOfRow);

void SharesOfRow(benchmark::State& state) {
  const std::vector<float> mask(512, 0);
  std::vector<float> scores = values_of(512);
  std::vector<float> gradient = values_of(512);
  for (auto _ : state) {
    softmax_row(scores.data(), mask.data(), 512);
    softmax_gradient_row(gradient.data(), scores.data(), 512);
    benchmark::DoNotOptimize(gradient.data());
  }
  state.SetItemsProcessed(state.iterations() * 512);
}
BENCHMARK(SharesOfRow);

void DropValues(benchmark::State& state) {
  const std::vector<float> in = values_of(32768);
  std::vector<float> out(in.size());
  for (auto _ : state) {
    dropout_values(in.data(), out.data(), 32768, 0, 0.1, 7);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations() * 32768);
}
BENCHMARK(DropValues);

void LambStep(benchmark::State& state) {
  std::vector<float> grad = values_of(32768);
  std::vector<float> m(grad.size()), v(grad.size()), w = grad;
  for (auto _ : state) {
    benchmark::DoNotOptimize(lamb_direction(grad.data(), m.data(), v.data(), w.data(), 32768, {}));
    subtract_scaled(w.data(), grad.data(), 32768, 1e-3F);
  }
  state.SetItemsProcessed(state.iterations() * 32768);
}
BENCHMARK(LambStep);

#if defined(__x86_64__)

constexpr std::size_t kSums = 16;  // side by side, so that none waits for the previous one

__attribute__((target("avx512f"))) void multiply_f32(benchmark::State& state) {
  __m512 sums[kSums];
  for (std::size_t i = 0; i < kSums; ++i) sums[i] = _mm512_set1_ps(static_cast<float>(i));
  const __m512 factor = _mm512_set1_ps(0.5F);
  for (auto _ : state) {
    for (int repeat = 0; repeat < 1000; ++repeat) {
#pragma GCC unroll 16
      for (__m512& sum : sums) sum = _mm512_fmadd_ps(sum, factor, factor);
    }
  }
  benchmark::DoNotOptimize(sums);
}

__attribute__((target("avx512f,avx512bf16"))) void multiply_bf16(benchmark::State& state) {
  __m512 sums[kSums];
  for (std::size_t i = 0; i < kSums; ++i) sums[i] = _mm512_set1_ps(static_cast<float>(i));
  const __m512bh factor = _mm512_cvtne2ps_pbh(sums[1], sums[1]);
  for (auto _ : state) {
    for (int repeat = 0; repeat < 1000; ++repeat) {
#pragma GCC unroll 16
      for (__m512& sum : sums) sum = _mm512_dpbf16_ps(sum, factor, factor);
    }
  }
  benchmark::DoNotOptimize(sums);
}

void set_rate(benchmark::State& state, double per_instruction) {
  const double done = static_cast<double>(state.iterations()) * 1000 * kSums * per_instruction;
  state.counters["FLOP"] = benchmark::Counter(done, benchmark::Counter::kIsRate);
}

void MostF32(benchmark::State& state) {
  if (!__builtin_cpu_supports("avx512f")) return state.SkipWithError("no AVX-512");
  multiply_f32(state);
  set_rate(state, 32);
}
BENCHMARK(MostF32);

void MostBf16(benchmark::State& state) {
  state.SetLabel(has_fast_bf16() ? "taken" : "not taken");
  if (!__builtin_cpu_supports("avx512bf16")) return state.SkipWithError("no AVX512_BF16");
  multiply_bf16(state);
  set_rate(state, 64);
}
BENCHMARK(MostBf16);

#endif

}  // namespace
}  // namespace bertprep
BENCHMARK_MAIN();
