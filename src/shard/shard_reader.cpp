#include "bertprep/shard/shard_reader.h"

#include <algorithm>
#include <array>
#include <optional>

#include "io/digest.h"
#include "shard/hdf5/hdf5_input.h"

namespace bertprep {
namespace {

// Far above any model's length; prevents huge allocations for a damaged shape.
constexpr std::size_t kMaxColumns = std::size_t{1} << 24U;
constexpr std::size_t kMaxRows = std::size_t{1} << 40U;

// Of the widest dataset: fits the cache of a core, and allows prompt cancellation.
constexpr std::size_t kBytesAtOnce = std::size_t{1} << 18U;
constexpr std::size_t kChunksAtOnce = std::size_t{1} << 14U;

constexpr IntegerType kInt32{4, true, false};
constexpr IntegerType kInt8{1, true, false};

void check_rank(const Hdf5InputDataset& dataset, std::size_t rank, const std::filesystem::path& path) {
  const auto& shape = dataset.shape();
  if (shape.size() != rank) {
    throw FormatError(dataset.shape_text() + ", expected " + std::to_string(rank) + " dimensions", path.string());
  }
  if (shape[0] > kMaxRows || (rank > 1 && shape[1] > kMaxColumns)) {
    throw FormatError(dataset.shape_text() + ", more than any shard has", path.string(), "the file may be damaged");
  }
}

void check_same_shape(const Hdf5InputDataset& dataset, const Hdf5InputDataset& model,
                      const std::filesystem::path& path) {
  if (dataset.shape() == model.shape()) return;
  throw FormatError(dataset.shape_text() + ", but " + model.shape_text(), path.string());
}

void check_same_rows(const Hdf5InputDataset& dataset, const Hdf5InputDataset& model,
                     const std::filesystem::path& path) {
  if (dataset.shape()[0] == model.shape()[0]) return;
  throw FormatError(dataset.shape_text() + ", but " + model.shape_text(), path.string());
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

// The columns of BERT's rows besides ids and mask.
struct InstanceColumns {
  explicit InstanceColumns(const Hdf5InputFile& file)
      : segment_ids(file, kSegmentIds),
        masked_lm_positions(file, kMaskedLmPositions),
        masked_lm_ids(file, kMaskedLmIds),
        next_sentence_labels(file, kNextSentenceLabels) {}

  void check(const Hdf5InputDataset& input_ids, const std::filesystem::path& path) const {
    for (const auto* dataset : {&segment_ids, &masked_lm_positions, &masked_lm_ids}) check_rank(*dataset, 2, path);
    check_rank(next_sentence_labels, 1, path);
    check_same_shape(segment_ids, input_ids, path);
    check_same_rows(masked_lm_positions, input_ids, path);
    check_same_shape(masked_lm_ids, masked_lm_positions, path);
    check_same_rows(next_sentence_labels, input_ids, path);
  }

  Hdf5InputDataset segment_ids;
  Hdf5InputDataset masked_lm_positions;
  Hdf5InputDataset masked_lm_ids;
  Hdf5InputDataset next_sentence_labels;
};

bool has_dataset(const Hdf5InputFile& file, const char* name) {
  const auto names = file.dataset_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::size_t kBlockBytes = std::size_t{4} << 20U;

using Shape = std::vector<std::size_t>;

std::string numpy_dtype(const IntegerType& type) {
  const std::string order = type.bytes == 1 ? "|" : type.big_endian ? ">" : "<";
  return order + (type.is_signed ? "i" : "u") + std::to_string(type.bytes);
}

// Blocks of a shape in C order: one index of each axis before `axis`, a few of `axis`, all of later axes.
class Blocks {
 public:
  Blocks(const Shape& shape, std::size_t max_elements) : shape_(shape), first_(shape.size(), 0), count_(shape) {
    done_ = std::find(shape.begin(), shape.end(), 0U) != shape.end();
    std::size_t inner = 1;
    axis_ = shape.size();
    while (axis_ > 0 && inner <= max_elements / std::max(shape[axis_ - 1], std::size_t{1})) inner *= shape[--axis_];
    if (axis_ == 0) return;  // all of it is one block
    --axis_;
    std::fill(count_.begin(), count_.begin() + static_cast<std::ptrdiff_t>(axis_), std::size_t{1});
    step_ = std::max(max_elements / inner, std::size_t{1});
    count_[axis_] = std::min(step_, shape_[axis_]);
  }

  bool done() const { return done_; }
  const Shape& first() const { return first_; }
  const Shape& count() const { return count_; }
  std::size_t elements() const {
    std::size_t all = 1;
    for (const std::size_t size : count_) all *= size;
    return all;
  }

  void next() {
    if (step_ == 0) {
      done_ = true;
      return;
    }
    first_[axis_] += count_[axis_];
    for (std::size_t axis = axis_; first_[axis] >= shape_[axis]; --axis) {
      if (axis == 0) {
        done_ = true;
        return;
      }
      first_[axis] = 0;
      ++first_[axis - 1];
    }
    count_[axis_] = std::min(step_, shape_[axis_] - first_[axis_]);
  }

 private:
  Shape shape_;
  Shape first_;
  Shape count_;
  std::size_t axis_ = 0;
  std::size_t step_ = 0;  // indices of axis_ in a block; 0 if one block has all
  bool done_ = false;
};

DatasetDigest digest_of(const Hdf5InputDataset& dataset, std::vector<std::byte>& buffer, const Progress& progress) {
  const std::size_t element_bytes = dataset.type().bytes;
  Sha256 digest;
  for (Blocks blocks(dataset.shape(), kBlockBytes / element_bytes); !blocks.done(); blocks.next()) {
    if (progress.cancelled()) throw Cancelled();
    buffer.resize(blocks.elements() * element_bytes);
    dataset.read(blocks.first(), blocks.count(), dataset.type(), buffer);
    digest.update(buffer);
  }
  return {dataset.name(), numpy_dtype(dataset.type()), dataset.shape(), digest.finish()};
}

}  // namespace

struct ShardReader::State {
  State(const std::filesystem::path& path, RowContent content) : file(path), input_ids(file, kInputIds) {
    if (content == RowContent::kInstances) {
      mask.emplace(file, kInputMask);
      instances.emplace(file);
    } else if (has_dataset(file, kAttentionMask)) {
      mask.emplace(file, kAttentionMask);
    }
    check_rank(input_ids, 2, path);
    if (mask) check_rank(*mask, 2, path);
    if (mask) check_same_shape(*mask, input_ids, path);
    if (instances) instances->check(input_ids, path);
    shape = {input_ids.shape()[0], input_ids.shape()[1], instances ? instances->masked_lm_positions.shape()[1] : 0};
  }

  Hdf5InputFile file;
  Hdf5InputDataset input_ids;
  std::optional<Hdf5InputDataset> mask;
  std::optional<InstanceColumns> instances;
  ShardShape shape;
};

ShardReader::ShardReader(const std::filesystem::path& path, RowContent content)
    : state_(std::make_unique<State>(path, content)) {}
ShardReader::~ShardReader() = default;
ShardReader::ShardReader(ShardReader&&) noexcept = default;

const ShardShape& ShardReader::shape() const {
  return state_->shape;
}

std::size_t ShardReader::chunk_rows() const {
  return state_->input_ids.chunk_rows();
}

std::size_t ShardReader::rows_at_once() const {
  const State& state = *state_;
  std::size_t least = state.input_ids.rows_within(kBytesAtOnce, kChunksAtOnce);
  const auto see = [&](const Hdf5InputDataset& dataset) {
    least = std::min(least, dataset.rows_within(kBytesAtOnce, kChunksAtOnce));
  };
  if (state.mask) see(*state.mask);
  if (!state.instances) return least;
  see(state.instances->segment_ids);
  see(state.instances->masked_lm_positions);
  see(state.instances->masked_lm_ids);
  see(state.instances->next_sentence_labels);
  return least;
}

void ShardReader::read(std::size_t first, std::size_t count, Batch& batch) {
  const State& state = *state_;
  if (first > state.shape.rows || count > state.shape.rows - first) {
    throw ConfigError(std::to_string(count) + " rows from row " + std::to_string(first) +
                          " on are requested, but the shard has " + std::to_string(state.shape.rows),
                      state.file.path().string());
  }
  batch.resize(count, state.shape);
  read_rows(state.input_ids, first, count, kInt32, batch.input_ids);
  if (state.mask) {
    read_rows(*state.mask, first, count, kInt8, batch.input_mask);
  } else {
    std::fill(batch.input_mask.begin(), batch.input_mask.end(), std::int8_t{1});
  }
  if (state.instances) {
    const InstanceColumns& columns = *state.instances;
    read_rows(columns.segment_ids, first, count, kInt8, batch.segment_ids);
    read_rows(columns.masked_lm_positions, first, count, kInt32, batch.masked_lm_positions);
    read_rows(columns.masked_lm_ids, first, count, kInt32, batch.masked_lm_ids);
    read_rows(columns.next_sentence_labels, first, count, kInt8, batch.next_sentence_labels);
  } else {
    std::fill(batch.segment_ids.begin(), batch.segment_ids.end(), std::int8_t{0});
    std::fill(batch.next_sentence_labels.begin(), batch.next_sentence_labels.end(), std::int8_t{0});
  }
}

RowContent row_content(const std::filesystem::path& path) {
  const Hdf5InputFile file(path);
  const bool predicts = has_dataset(file, kMaskedLmPositions) || has_dataset(file, kInputMask);
  return has_dataset(file, kInputIds) && !predicts ? RowContent::kTokens : RowContent::kInstances;
}

std::vector<DatasetDigest> digest_datasets(const std::filesystem::path& path, const Progress& progress) {
  const Hdf5InputFile file(path);
  std::vector<DatasetDigest> digests;
  std::vector<std::byte> buffer;
  for (const std::string& name : file.dataset_names()) digests.push_back(digest_of({file, name}, buffer, progress));
  return digests;
}

}  // namespace bertprep
