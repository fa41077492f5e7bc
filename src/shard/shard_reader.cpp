#include "bertprep/shard/shard_reader.h"

#include <algorithm>
#include <array>

#include "shard/hdf5/hdf5_input.h"

namespace bertprep {
namespace {

// Far above what any model reads; keeps a damaged shape from asking for absurd amounts of memory.
constexpr std::size_t kMaxColumns = std::size_t{1} << 24U;
constexpr std::size_t kMaxRows = std::size_t{1} << 40U;

// Of the widest dataset: they fit the cache of a core, and there is an end within a moment when somebody asks for one.
constexpr std::size_t kBytesAtOnce = std::size_t{1} << 18U;
constexpr std::size_t kChunksAtOnce = std::size_t{1} << 14U;

constexpr IntegerType kInt32{4, true, false};
constexpr IntegerType kInt8{1, true, false};

std::string shape_text(const Hdf5InputDataset& dataset) {
  std::string text;
  for (const std::size_t size : dataset.shape()) {
    text += text.empty() ? "" : " x ";
    text += std::to_string(size);
  }
  return dataset.name() + " is " + (text.empty() ? "a single value" : text);
}

void check_rank(const Hdf5InputDataset& dataset, std::size_t rank, const std::filesystem::path& path) {
  const auto& shape = dataset.shape();
  if (shape.size() != rank) {
    throw FormatError(shape_text(dataset) + ", expected " + std::to_string(rank) + " dimensions", path.string());
  }
  if (shape[0] > kMaxRows || (rank > 1 && shape[1] > kMaxColumns)) {
    throw FormatError(shape_text(dataset) + ", more than any shard has", path.string(), "the file may be damaged");
  }
}

void check_same_shape(const Hdf5InputDataset& dataset, const Hdf5InputDataset& model,
                      const std::filesystem::path& path) {
  if (dataset.shape() == model.shape()) return;
  throw FormatError(shape_text(dataset) + ", but " + shape_text(model), path.string());
}

void check_same_rows(const Hdf5InputDataset& dataset, const Hdf5InputDataset& model,
                     const std::filesystem::path& path) {
  if (dataset.shape()[0] == model.shape()[0]) return;
  throw FormatError(shape_text(dataset) + ", but " + shape_text(model), path.string());
}

template <class Value>
void read_rows(const Hdf5InputDataset& dataset, std::size_t first, std::size_t count, const IntegerType& type,
               std::vector<Value>& values) {
  const std::array<std::size_t, 2> start{first, 0};
  const std::array<std::size_t, 2> size{count, dataset.shape().back()};
  const std::size_t rank = dataset.shape().size();
  dataset.read(std::span(start).first(rank), std::span(size).first(rank), type,
               std::as_writable_bytes(std::span(values)));
}

}  // namespace

struct ShardReader::State {
  explicit State(const std::filesystem::path& path)
      : file(path),
        input_ids(file, kInputIds),
        input_mask(file, kInputMask),
        segment_ids(file, kSegmentIds),
        masked_lm_positions(file, kMaskedLmPositions),
        masked_lm_ids(file, kMaskedLmIds),
        next_sentence_labels(file, kNextSentenceLabels) {
    for (const auto* dataset : {&input_ids, &input_mask, &segment_ids, &masked_lm_positions, &masked_lm_ids}) {
      check_rank(*dataset, 2, path);
    }
    check_rank(next_sentence_labels, 1, path);
    check_same_shape(input_mask, input_ids, path);
    check_same_shape(segment_ids, input_ids, path);
    check_same_rows(masked_lm_positions, input_ids, path);
    check_same_shape(masked_lm_ids, masked_lm_positions, path);
    check_same_rows(next_sentence_labels, input_ids, path);
    shape = {input_ids.shape()[0], input_ids.shape()[1], masked_lm_positions.shape()[1]};
  }

  Hdf5InputFile file;
  Hdf5InputDataset input_ids;
  Hdf5InputDataset input_mask;
  Hdf5InputDataset segment_ids;
  Hdf5InputDataset masked_lm_positions;
  Hdf5InputDataset masked_lm_ids;
  Hdf5InputDataset next_sentence_labels;
  ShardShape shape;
};

ShardReader::ShardReader(const std::filesystem::path& path) : state_(std::make_unique<State>(path)) {}
ShardReader::~ShardReader() = default;
ShardReader::ShardReader(ShardReader&&) noexcept = default;

const ShardShape& ShardReader::shape() const {
  return state_->shape;
}

std::size_t ShardReader::chunk_rows() const {
  return state_->input_ids.chunk_rows();
}

std::size_t ShardReader::rows_at_once() const {
  const auto rows = [](const Hdf5InputDataset& dataset) { return dataset.rows_within(kBytesAtOnce, kChunksAtOnce); };
  const State& state = *state_;
  return std::min({rows(state.input_ids), rows(state.input_mask), rows(state.segment_ids),
                   rows(state.masked_lm_positions), rows(state.masked_lm_ids), rows(state.next_sentence_labels)});
}

void ShardReader::read(std::size_t first, std::size_t count, Batch& batch) {
  const State& state = *state_;
  if (first > state.shape.rows || count > state.shape.rows - first) {
    throw ConfigError(std::to_string(count) + " rows from row " + std::to_string(first) +
                          " on are asked for, there are " + std::to_string(state.shape.rows),
                      state.file.path().string());
  }
  batch.resize(count, state.shape);
  read_rows(state.input_ids, first, count, kInt32, batch.input_ids);
  read_rows(state.input_mask, first, count, kInt8, batch.input_mask);
  read_rows(state.segment_ids, first, count, kInt8, batch.segment_ids);
  read_rows(state.masked_lm_positions, first, count, kInt32, batch.masked_lm_positions);
  read_rows(state.masked_lm_ids, first, count, kInt32, batch.masked_lm_ids);
  read_rows(state.next_sentence_labels, first, count, kInt8, batch.next_sentence_labels);
}

}  // namespace bertprep
