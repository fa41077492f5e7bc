// Rows arrive in batches of any size. They are passed on in slices that end at a chunk boundary of some dataset, so the
// order of stored chunks, and with it every byte of the file, depends only on the rows.
#include "bertprep/shard/shard_writer.h"

#include <algorithm>

#include "base/fields.h"
#include "shard/hdf5/dataset_stream.h"
#include "shard/hdf5/shard_layout.h"

namespace bertprep {
namespace {

constexpr unsigned kDeflateLevel = 4;

using Columns = std::array<std::span<const std::byte>, kDatasets>;

Columns columns_of(const Batch& batch) {
  const auto bytes = [](const auto& values) { return std::as_bytes(std::span(values)); };
  return {bytes(batch.input_ids),           bytes(batch.input_mask),    bytes(batch.segment_ids),
          bytes(batch.masked_lm_positions), bytes(batch.masked_lm_ids), bytes(batch.next_sentence_labels)};
}

std::unique_ptr<ChunkEncoder> encoder_for(const DatasetPlan& plan, bool own_codec) {
  if (!own_codec) return std::make_unique<ZlibChunkEncoder>(kDeflateLevel);
  if (plan.element_bytes == 1) return std::make_unique<Int8ChunkEncoder>();
  return std::make_unique<Int32ChunkEncoder>();
}

}  // namespace

struct ShardBuffers::State {
  void restart(const ShardPlan& plan, bool is_rows) {
    if (streams.empty() || is_rows != own_codec) {
      own_codec = is_rows;
      streams.clear();
      for (const DatasetPlan& dataset : plan) streams.emplace_back(dataset, encoder_for(dataset, is_rows));
    }
    for (std::size_t i = 0; i < kDatasets; ++i) streams[i].restart(plan[i]);
  }

  bool own_codec = true;
  std::vector<DatasetStream> streams;
  std::vector<std::byte> file;
};

ShardBuffers::ShardBuffers() : state_(std::make_unique<State>()) {}
ShardBuffers::~ShardBuffers() = default;
ShardBuffers::ShardBuffers(ShardBuffers&&) noexcept = default;

struct ShardWriter::State {
  State(const std::filesystem::path& path, const ShardShape& shard_shape, bool is_rows, ShardBuffers::State& buffers)
      : file_path(path),
        shape(shard_shape),
        plan(is_rows ? plan_rows_layout(shape) : plan_reference_layout(shape)),
        store(is_rows ? store_in_container(path, plan, kDeflateLevel, buffers.file)
                      : store_in_order(path, plan, kDeflateLevel)),
        streams(buffers.streams) {
    buffers.restart(plan, is_rows);
  }

  void check(const Batch& batch, const Columns& columns) const {
    if (batch.rows > shape.rows - rows_taken) {
      throw FormatError("row " + std::to_string(shape.rows) + " is one more than the shard was made for",
                        file_path.string());
    }
    for (std::size_t i = 0; i < kDatasets; ++i) {
      if (columns[i].size() == batch.rows * plan[i].row_bytes()) continue;
      throw FormatError("a batch of " + std::to_string(batch.rows) + " rows has " + std::to_string(columns[i].size()) +
                            " bytes of " + plan[i].name + ", expected " +
                            std::to_string(batch.rows * plan[i].row_bytes()),
                        file_path.string(), "resize the batch to the shape of the shard");
    }
  }

  StoreChunk storing(std::size_t dataset) {
    return [this, dataset](std::span<const std::size_t> offset, std::span<const std::byte> bytes) {
      store->store(dataset, offset, bytes);
    };
  }

  std::size_t rows_to_boundary() const {
    std::size_t rows = streams[0].rows_to_boundary();
    for (const DatasetStream& stream : streams) rows = std::min(rows, stream.rows_to_boundary());
    return rows;
  }

  void add(const Columns& columns, std::size_t first, std::size_t count) {
    for (std::size_t i = 0; i < kDatasets; ++i) {
      const std::size_t row_bytes = plan[i].row_bytes();
      streams[i].add(columns[i].subspan(first * row_bytes, count * row_bytes), storing(i));
    }
  }

  std::filesystem::path file_path;
  ShardShape shape;
  ShardPlan plan;
  std::unique_ptr<ChunkStore> store;
  std::vector<DatasetStream>& streams;
  std::optional<ShardBuffers> own_buffers;
  std::size_t rows_taken = 0;
};

FieldList<ShardLayoutOptions> fields_of(const ShardLayoutOptions* /*options*/) {
  static const Field<ShardLayoutOptions> kFields[] = {
      {.name = "layout",
       .member = enum_member<&ShardLayoutOptions::chunks>,
       .unit = "",
       .help = "how to store shards: rows (whole rows in a chunk, smaller and faster to read) or reference (h5py's "
               "default chunks); the values are the same",
       .choices = "rows|reference"},
  };
  return {kFields, OptionGroup::kOutput};
}

ShardWriter::ShardWriter(const std::filesystem::path& path, const ShardShape& shape,
                         const ShardLayoutOptions& options) {
  ShardBuffers buffers;
  state_ = std::move(ShardWriter(path, shape, options, buffers).state_);
  state_->own_buffers.emplace(std::move(buffers));
}

ShardWriter::ShardWriter(const std::filesystem::path& path, const ShardShape& shape, const ShardLayoutOptions& options,
                         ShardBuffers& buffers) {
  validate(options);
  state_ = std::make_unique<State>(path, shape, options.chunks == ChunkLayout::kRows, *buffers.state_);
}

ShardWriter::~ShardWriter() = default;
ShardWriter::ShardWriter(ShardWriter&&) noexcept = default;

void ShardWriter::append(const Batch& batch) {
  const Columns columns = columns_of(batch);
  state_->check(batch, columns);
  for (std::size_t row = 0; row < batch.rows;) {
    const std::size_t count = std::min(batch.rows - row, state_->rows_to_boundary());
    state_->add(columns, row, count);
    row += count;
  }
  state_->rows_taken += batch.rows;
}

void ShardWriter::finish() {
  if (state_->rows_taken != state_->shape.rows) {
    throw FormatError("the shard was made for " + std::to_string(state_->shape.rows) + " rows and got " +
                          std::to_string(state_->rows_taken),
                      state_->file_path.string());
  }
  for (std::size_t i = 0; i < kDatasets; ++i) state_->streams[i].finish(state_->storing(i));
  state_->store->finish();
}

FileDigest ShardWriter::digest(const Progress& progress) const {
  return state_->store->digest(progress);
}

}  // namespace bertprep
