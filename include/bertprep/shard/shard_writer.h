// ShardWriter: rows -> an HDF5 shard, as docs/formats/shard.md describes it.
//
// Threads: only one thread at a time may use a writer; any number of writers may write different files at once.
// Memory: with the layout `rows`, one chunk of each dataset and 8 MiB of the file; with `reference`, all compressed
// chunks of the shard.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "bertprep/base/progress.h"
#include "bertprep/shard/schema.h"

namespace bertprep {

struct FileDigest {
  std::uint64_t bytes = 0;
  std::string sha256;  // lower-case hex
};

// How the values of a shard are stored.
enum class ChunkLayout { kRows, kReference };

struct ShardLayoutOptions {
  // rows: full-width chunks of 128 KiB (256 rows at 128 tokens, 64 at 512) with shuffle and deflate.
  // reference: the chunk shapes that h5py chooses by default, with deflate level 4.
  // Decoded values are the same; any HDF5 library reads both.
  ChunkLayout chunks = ChunkLayout::kRows;
};

// Buffers that one writer after another can reuse: for many small shards, allocating memory would otherwise take longer
// than writing. Only one writer at a time may use them; they do not affect the contents of a shard.
class ShardBuffers {
 public:
  ShardBuffers();
  ~ShardBuffers();
  ShardBuffers(ShardBuffers&&) noexcept;

 private:
  friend class ShardWriter;
  struct State;
  std::unique_ptr<State> state_;
};

class ShardWriter {
 public:
  // Creates `path`, or replaces it, for shape.rows rows. The bytes depend only on the rows, the shape and the layout,
  // not on time, threads or machine.
  ShardWriter(const std::filesystem::path& path, const ShardShape& shape, const ShardLayoutOptions& options);
  // The same with `buffers`, which must outlive the writer.
  ShardWriter(const std::filesystem::path& path, const ShardShape& shape, const ShardLayoutOptions& options,
              ShardBuffers& buffers);
  // Without finish() the file is incomplete, and the caller must remove it.
  ~ShardWriter();
  ShardWriter(ShardWriter&&) noexcept;

  // Appends batch.rows rows, any number at a time. Throws IoError (disk full), FormatError (more rows than shape.rows).
  void append(const Batch& batch);
  // Writes buffered data and closes the file. Throws FormatError if rows are missing, IoError.
  void finish();
  // Size and digest of the finished file; a small file is not read again. Throws IoError, Cancelled.
  FileDigest digest(const Progress& progress = {}) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bertprep
