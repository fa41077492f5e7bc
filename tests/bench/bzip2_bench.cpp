// How fast bzip2 is decoded, as bytes of text per second on one core; the file is in the page cache.
//
//   libbz2    BZ2_bzRead, as the program bzip2 uses it
//   blocks    open_bzip2 without threads: marks searched, blocks decoded one by one
//   marks     only the search for marks, as bytes of the compressed file
//
// In turns: --benchmark_enable_random_interleaving=true --benchmark_repetitions=9. With a file as its only argument,
// the program decodes it and ends: a whole process to compare with `bzip2 -dc FILE` and `lbzip2 -n1 -dc FILE`.
//
// The text is the dump `enwiki-gensim-shortened` of $BERTPREP_SHARED/corpora, or generated words without it.
#include <benchmark/benchmark.h>
#include <bzlib.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "io/input_file.h"
#include "stream/bzip2_scan.h"
#include "stream/bzip2_stream.h"
#include "support/temp_folder.h"
#include "unit/stream/bzip2_file.h"

namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

std::string compressed() {
  const char* shared = std::getenv("BERTPREP_SHARED");
  const fs::path folder = fs::path(shared != nullptr ? shared : "../shared") / "corpora" / "wikidump";
  const fs::path path = folder / "enwiki-gensim-shortened.xml.bz2";
  if (fs::exists(path)) return bertprep::read_file(path);
  std::string text;
  unsigned state = 1;
  while (text.size() < 6'000'000) {
    state = state * 1'664'525U + 1'013'904'223U;
    text += "river hill [[town]] of the and (1884) north "sv.substr(state >> 28U, 4 + (state >> 24U) % 16);
  }
  return bertprep::test::bzip2_stream(text);
}

void libbz2(benchmark::State& state) {
  const bertprep::test::TempFolder folder;
  const fs::path path = folder.write("x.bz2", compressed());
  std::string buffer(1U << 20U, '\0');
  std::int64_t bytes = 0;
  for (auto step : state) {
    std::FILE* file = std::fopen(path.c_str(), "rb");
    int status = BZ_OK;
    BZFILE* stream = BZ2_bzReadOpen(&status, file, 0, 0, nullptr, 0);
    while (status == BZ_OK) bytes += BZ2_bzRead(&status, stream, buffer.data(), static_cast<int>(buffer.size()));
    BZ2_bzReadClose(&status, stream);
    std::fclose(file);
  }
  state.SetBytesProcessed(bytes);
}

std::uint64_t decode(const fs::path& path) {
  const auto stream = bertprep::open_bzip2(path, {});
  std::uint64_t bytes = 0;
  for (auto block = stream->next_block(); !block.empty(); block = stream->next_block()) bytes += block.size();
  return bytes;
}

void blocks(benchmark::State& state) {
  const bertprep::test::TempFolder folder;
  const fs::path path = folder.write("x.bz2", compressed());
  std::int64_t bytes = 0;
  for (auto step : state) bytes += static_cast<std::int64_t>(decode(path));
  state.SetBytesProcessed(bytes);
}

void marks(benchmark::State& state) {
  const std::string file = compressed();
  std::vector<bertprep::Bzip2Mark> found;
  for (auto step : state) {
    found.clear();
    bertprep::find_bzip2_marks(file, 0, file.size() - bertprep::kBzip2MarkReach, 0, found);
    benchmark::DoNotOptimize(found.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * file.size()));
}

BENCHMARK(libbz2)->Unit(benchmark::kMillisecond);
BENCHMARK(blocks)->Unit(benchmark::kMillisecond);
BENCHMARK(marks)->Unit(benchmark::kMicrosecond);

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && fs::is_regular_file(argv[1])) {
    std::printf("%ju bytes\n", static_cast<std::uintmax_t>(decode(argv[1])));
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
