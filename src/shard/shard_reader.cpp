#include "bertprep/shard/shard_reader.h"

#include <algorithm>

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

void check_rank(const Hdf5InputDataset& dataset, std::size_t rank, const std::filesystem::path& path) {
  const auto& shape = dataset.shape();
  if (shape.size() != rank) {
    throw FormatError(dataset.shape_text() + ", expected " + std::to_string(rank) + " dimensions", path.string());
  }
  if (shape[0] > kMaxRows || (rank > 1 && shape[1] > kMaxColumns)) {
    throw FormatError(dataset.shape_text() + ", more than any shard has", path.string(), "the file may be damaged");
  }
}

[[noreturn]] void refuse_shape(const Hdf5InputDataset& dataset, const Hdf5InputDataset& model,
                               const std::filesystem::path& path) {
  throw FormatError(dataset.shape_text() + ", but " + model.shape_text(), path.string());
}

template <class Value>
void read_rows(const Hdf5InputDataset& dataset, std::size_t first, std::size_t count, std::vector<Value>& values) {
  constexpr IntegerType kType{sizeof(Value), true, false};
  const std::array<std::size_t, 2> start{first, 0};
  const std::array<std::size_t, 2> size{count, dataset.shape().back()};
  const std::size_t rank = dataset.shape().size();
  dataset.read(std::span(start).first(rank), std::span(size).first(rank), kType,
               std::as_writable_bytes(std::span(values)));
}

// The columns of rows, in the order of kColumns.
enum Column : std::size_t { kIds, kMask, kSegments, kPositions, kMaskedIds, kLabels };

struct ColumnFacts {
  const char* name;
  std::size_t rank;
  Column model;  // has the same shape; all have as many rows as the ids
};
constexpr std::array<ColumnFacts, 6> kColumns = {{{kInputIds, 2, kIds},
                                                  {kInputMask, 2, kIds},
                                                  {kSegmentIds, 2, kIds},
                                                  {kMaskedLmPositions, 2, kPositions},
                                                  {kMaskedLmIds, 2, kPositions},
                                                  {kNextSentenceLabels, 1, kLabels}}};

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
  State(const std::filesystem::path& path, RowContent content) : file(path) {
    const bool predicts = content == RowContent::kInstances;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (predicts || i == kIds) columns[i].emplace(file, kColumns[i].name);
    }
    if (!predicts && has_dataset(file, kAttentionMask)) columns[kMask].emplace(file, kAttentionMask);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i]) check_rank(*columns[i], kColumns[i].rank, path);
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (!columns[i]) continue;
      const Hdf5InputDataset& model = *columns[kColumns[i].model];
      if (columns[i]->shape() != model.shape()) refuse_shape(*columns[i], model, path);
      if (columns[i]->shape()[0] != columns[kIds]->shape()[0]) refuse_shape(*columns[i], *columns[kIds], path);
    }
    shape = {columns[kIds]->shape()[0], columns[kIds]->shape()[1], predicts ? columns[kPositions]->shape()[1] : 0};
  }

  Hdf5InputFile file;
  std::array<std::optional<Hdf5InputDataset>, kColumns.size()> columns;  // token sequences have one or two
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
  return state_->columns[kIds]->chunk_rows();
}

std::size_t ShardReader::rows_at_once() const {
  std::size_t least = kMaxRows;
  for (const auto& column : state_->columns) {
    if (column) least = std::min(least, column->rows_within(kBytesAtOnce, kChunksAtOnce));
  }
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
  const auto read_column = [&](Column column, auto& values, std::int8_t otherwise) {
    if (const auto& dataset = state.columns[column]) {
      read_rows(*dataset, first, count, values);
    } else {
      std::fill(values.begin(), values.end(), otherwise);
    }
  };
  read_column(kIds, batch.input_ids, 0);
  read_column(kMask, batch.input_mask, 1);
  read_column(kSegments, batch.segment_ids, 0);
  read_column(kPositions, batch.masked_lm_positions, 0);
  read_column(kMaskedIds, batch.masked_lm_ids, 0);
  read_column(kLabels, batch.next_sentence_labels, 0);
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
