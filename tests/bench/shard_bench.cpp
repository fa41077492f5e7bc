// Writing and reading shards. Bytes are those of the raw arrays; `ratio` is raw bytes by stored ones.
//
// EncodeRows/S     our codec over all chunks of six datasets in the layout `rows`, nothing written
// EncodeZlib4/S    shuffle left out, zlib level 4 over the same chunks: what HDF5's own filter would do
// WriteRows/S      whole files in the layout `rows`: create, append, finish
// WriteReference/S whole files in the layout `reference`
// ReadRows/S       a file in the layout `rows`, in batches of 64 rows, from the page cache
// Verify/S         what `verify` does with a file in the layout `rows`: digest, reading all rows, checking them
// VerifyReference/S the same for the layout `reference`
//
// Verify does its work in turns with the same work where HDF5 decodes the chunks; its times are CPU time, and `by_hdf5`
// is how many times as much that takes.
//
// S is 128 or 512 tokens. Rows come from shards of the reference below $BERTPREP_SHARED (or ../shared),
// repeated up to some 16,000 or 4,000; where there are none the benchmark makes up rows of the same look.
// Files go to $TMPDIR; put it on a memory file system to leave the disk out.
#include <benchmark/benchmark.h>
#include <hdf5.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>

#include "bertprep/shard/shard_reader.h"
#include "bertprep/shard/shard_writer.h"
#include "shard/hdf5/dataset_stream.h"
#include "shard/hdf5/file_digest.h"
#include "shard/shard_check.h"
#include "unit/shard/shard_rows.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTokensTotal = std::size_t{1} << 21U;

struct Rows {
  ShardShape shape;
  Batch batch;
  std::int64_t raw_bytes() const {
    return static_cast<std::int64_t>(shape.rows * (6 * shape.seq_len + 8 * shape.max_predictions + 1));
  }
};

fs::path golden_shard(std::size_t seq_len) {
  const char* given = std::getenv("BERTPREP_SHARED");
  const fs::path shared = given != nullptr ? fs::path(given) : fs::path(BERTPREP_SOURCE_DIR).parent_path() / "shared";
  const std::string phase = seq_len == 128 ? "128_max_pred_20" : "512_max_pred_80";
  const std::string name = seq_len == 128 ? "wikitext-2_training_0.hdf5" : "wikitext-2_test_3.hdf5";
  return shared / "goldens/pipeline/A_wikitext2/hdf5_samples" /
         ("hdf5_lower_case_1_seq_len_" + phase + "_masked_lm_prob_0.15_random_seed_12345_dupe_factor_5") /
         "wikitext-2" / name;
}

template <class Value>
void repeat(std::vector<Value>& values, std::size_t times) {
  const std::size_t size = values.size();
  values.reserve(size * times);
  for (std::size_t i = 1; i < times; ++i) {
    values.insert(values.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(size));
  }
}

Rows make_rows(std::size_t seq_len) {
  Rows rows;
  if (fs::exists(golden_shard(seq_len))) {
    rows.shape = ShardReader(golden_shard(seq_len)).shape();
    rows.batch = test::read_shard(golden_shard(seq_len));
  } else {
    rows.shape = {3000, seq_len, seq_len * 20 / 128};
    rows.batch = test::valid_rows(rows.shape, 1);
  }
  const std::size_t times = std::max<std::size_t>(kTokensTotal / seq_len / rows.shape.rows, 1);
  repeat(rows.batch.input_ids, times);
  repeat(rows.batch.input_mask, times);
  repeat(rows.batch.segment_ids, times);
  repeat(rows.batch.masked_lm_positions, times);
  repeat(rows.batch.masked_lm_ids, times);
  repeat(rows.batch.next_sentence_labels, times);
  rows.shape.rows *= times;
  rows.batch.rows = rows.shape.rows;
  return rows;
}

const Rows& rows_of(std::size_t seq_len) {
  static std::map<std::size_t, Rows> made;
  if (!made.contains(seq_len)) made[seq_len] = make_rows(seq_len);
  return made[seq_len];
}

std::array<std::span<const std::byte>, kDatasets> columns_of(const Batch& batch) {
  const auto bytes = [](const auto& values) { return std::as_bytes(std::span(values)); };
  return {bytes(batch.input_ids),           bytes(batch.input_mask),    bytes(batch.segment_ids),
          bytes(batch.masked_lm_positions), bytes(batch.masked_lm_ids), bytes(batch.next_sentence_labels)};
}

void report(benchmark::State& state, const Rows& rows, std::size_t stored_bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * rows.raw_bytes());
  state.counters["ratio"] = static_cast<double>(rows.raw_bytes()) / static_cast<double>(stored_bytes);
}

template <class MakeEncoder>
std::size_t encode_all(const Rows& rows, MakeEncoder&& make_encoder) {
  const ShardPlan plan = plan_rows_layout(rows.shape);
  const auto columns = columns_of(rows.batch);
  std::size_t stored = 0;
  for (std::size_t i = 0; i < kDatasets; ++i) {
    DatasetStream stream(plan[i], make_encoder(plan[i]));
    const auto count = [&](std::span<const std::size_t>, std::span<const std::byte> bytes) { stored += bytes.size(); };
    for (std::size_t row = 0; row < rows.shape.rows;) {
      const std::size_t taken = std::min(stream.rows_to_boundary(), rows.shape.rows - row);
      stream.add(columns[i].subspan(row * plan[i].row_bytes(), taken * plan[i].row_bytes()), count);
      row += taken;
    }
    stream.finish(count);
  }
  return stored;
}

void encode_rows(benchmark::State& state) {
  const Rows& rows = rows_of(static_cast<std::size_t>(state.range(0)));
  std::size_t stored = 0;
  for (auto _ : state) {
    stored = encode_all(rows, [](const DatasetPlan& plan) -> std::unique_ptr<ChunkEncoder> {
      if (plan.element_bytes == 1) return std::make_unique<Int8ChunkEncoder>();
      return std::make_unique<Int32ChunkEncoder>();
    });
  }
  report(state, rows, stored);
}

void encode_zlib(benchmark::State& state) {
  const Rows& rows = rows_of(static_cast<std::size_t>(state.range(0)));
  std::size_t stored = 0;
  for (auto _ : state) {
    stored = encode_all(rows, [](const DatasetPlan&) { return std::make_unique<ZlibChunkEncoder>(4); });
  }
  report(state, rows, stored);
}

void write_shards(benchmark::State& state, const char* layout) {
  const Rows& rows = rows_of(static_cast<std::size_t>(state.range(0)));
  const fs::path path = fs::temp_directory_path() / "bertprep-shard-bench.hdf5";
  for (auto _ : state) test::write_shard(path, rows.shape, rows.batch, layout);
  report(state, rows, fs::file_size(path));
  fs::remove(path);
}

void read_shards(benchmark::State& state) {
  const Rows& rows = rows_of(static_cast<std::size_t>(state.range(0)));
  const fs::path path = fs::temp_directory_path() / "bertprep-shard-bench.hdf5";
  test::write_shard(path, rows.shape, rows.batch);
  Batch batch;
  for (auto _ : state) {
    ShardReader reader(path);
    for (std::size_t row = 0; row < rows.shape.rows; row += 64) {
      reader.read(row, std::min<std::size_t>(64, rows.shape.rows - row), batch);
    }
  }
  report(state, rows, fs::file_size(path));
  fs::remove(path);
}

template <class Value>
void read_by_hdf5(hid_t dataset, hid_t type, hsize_t first, hsize_t count, std::vector<Value>& values) {
  const hid_t space = H5Dget_space(dataset);
  const hsize_t start[] = {first, 0};
  const hsize_t size[] = {count, values.size() / count};
  const int rank = H5Sget_simple_extent_ndims(space);
  const hid_t memory = H5Screate_simple(rank, size, nullptr);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, size, nullptr);
  if (H5Dread(dataset, type, memory, space, H5P_DEFAULT, values.data()) < 0) std::abort();
  H5Sclose(memory);
  H5Sclose(space);
}

class Hdf5Rows {
 public:
  Hdf5Rows(const fs::path& path, const ShardShape& shape)
      : shape_(shape), file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {
    constexpr std::array<const char*, kDatasets> kNames{kInputIds,          kInputMask,   kSegmentIds,
                                                        kMaskedLmPositions, kMaskedLmIds, kNextSentenceLabels};
    for (std::size_t i = 0; i < kDatasets; ++i) datasets_[i] = H5Dopen2(file_, kNames[i], H5P_DEFAULT);
  }
  Hdf5Rows(const Hdf5Rows&) = delete;
  Hdf5Rows& operator=(const Hdf5Rows&) = delete;
  ~Hdf5Rows() {
    for (const hid_t dataset : datasets_) H5Dclose(dataset);
    H5Fclose(file_);
  }

  void read(std::size_t first, std::size_t count, Batch& batch) {
    batch.resize(count, shape_);
    read_by_hdf5(datasets_[0], H5T_NATIVE_INT32, first, count, batch.input_ids);
    read_by_hdf5(datasets_[1], H5T_NATIVE_INT8, first, count, batch.input_mask);
    read_by_hdf5(datasets_[2], H5T_NATIVE_INT8, first, count, batch.segment_ids);
    read_by_hdf5(datasets_[3], H5T_NATIVE_INT32, first, count, batch.masked_lm_positions);
    read_by_hdf5(datasets_[4], H5T_NATIVE_INT32, first, count, batch.masked_lm_ids);
    read_by_hdf5(datasets_[5], H5T_NATIVE_INT8, first, count, batch.next_sentence_labels);
  }

 private:
  ShardShape shape_;
  hid_t file_;
  std::array<hid_t, kDatasets> datasets_{};
};

// Returns the seconds of CPU time that it took.
template <class ReadSome>
double verify_once(const fs::path& path, const ShardShape& shape, std::size_t rows_at_once, ReadSome&& read_some) {
  const std::clock_t start = std::clock();
  benchmark::DoNotOptimize(digest_file(path));
  Batch batch;
  for (std::size_t row = 0; row < shape.rows; row += rows_at_once) {
    read_some(row, std::min(rows_at_once, shape.rows - row), batch);
    if (!check_rows(batch, shape, row, 0).empty()) std::abort();
  }
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

void verify_shards(benchmark::State& state, const char* layout) {
  const Rows& rows = rows_of(static_cast<std::size_t>(state.range(0)));
  const fs::path path = fs::temp_directory_path() / "bertprep-shard-bench.hdf5";
  test::write_shard(path, rows.shape, rows.batch, layout);
  std::size_t rows_at_once = 0;
  const auto once = [&](auto&& reader_or_hdf5) {
    return verify_once(path, rows.shape, rows_at_once,
                       [&](auto first, auto count, Batch& batch) { reader_or_hdf5.read(first, count, batch); });
  };
  double seconds = 0;
  double seconds_by_hdf5 = 0;
  for (auto _ : state) {
    {
      ShardReader reader(path);
      rows_at_once = reader.rows_at_once();
      const double took = once(reader);
      state.SetIterationTime(took);
      seconds += took;
    }
    seconds_by_hdf5 += once(Hdf5Rows(path, rows.shape));
  }
  report(state, rows, fs::file_size(path));
  state.counters["by_hdf5"] = seconds_by_hdf5 / seconds;
  fs::remove(path);
}

BENCHMARK(encode_rows)->Name("EncodeRows")->Arg(128)->Arg(512);
BENCHMARK(encode_zlib)->Name("EncodeZlib4")->Arg(128)->Arg(512)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_shards, rows, "rows")->Name("WriteRows")->Arg(128)->Arg(512);
BENCHMARK_CAPTURE(write_shards, reference, "reference")->Name("WriteReference")->Arg(128)->Arg(512);
BENCHMARK(read_shards)->Name("ReadRows")->Arg(128)->Arg(512);
BENCHMARK_CAPTURE(verify_shards, rows, "rows")->Name("Verify")->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK_CAPTURE(verify_shards, reference, "reference")->Name("VerifyReference")->Arg(128)->Arg(512)->UseManualTime();

}  // namespace
}  // namespace bertprep

BENCHMARK_MAIN();
