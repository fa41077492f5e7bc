// ShardWriter: rows -> an HDF5 shard, as docs/formats/shard.md describes it.
//
// Threads: one writer belongs to one thread at a time; any number of them may write files of their own at
// once. Memory: one chunk of each dataset and 8 MiB of the file with the layout `rows`, all compressed chunks of the
// shard with `reference`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "bertprep/shard/schema.h"

namespace bertprep {

// For the program's flags: its sources read fields().
template <class Options>
struct Field;
enum class OptionGroup;

struct FileDigest {
  std::uint64_t bytes = 0;
  std::string sha256;  // lower-case hex
};

// How the values of a shard are stored.
enum class ChunkLayout { kRows, kReference };

struct ShardLayoutOptions {
  // rows: full-width chunks of 128 KiB (256 rows at 128 tokens, 64 at 512) behind shuffle and deflate.
  // reference: the chunk shapes h5py chooses by itself, behind deflate level 4.
  // Decoded values are the same; any HDF5 reads both.
  ChunkLayout chunks = ChunkLayout::kRows;

  static const OptionGroup kGroup;
  static std::span<const Field<ShardLayoutOptions>> fields();
};

// The memory of a writer, for one writer after another: making many small shards would otherwise take longer to
// get fresh memory for each than to write it. Belongs to one writer at a time; what a shard holds doesn't depend
// on it.
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
  // Creates `path` (an existing file is replaced) for shape.rows rows. Bytes depend on the rows, the shape
  // and the layout alone: no times, no threads, no machine.
  ShardWriter(const std::filesystem::path& path, const ShardShape& shape, const ShardLayoutOptions& options);
  // The same with the memory of `buffers`, which must outlive the writer.
  ShardWriter(const std::filesystem::path& path, const ShardShape& shape, const ShardLayoutOptions& options,
              ShardBuffers& buffers);
  // Without finish() the file is left damaged; the caller removes it.
  ~ShardWriter();
  ShardWriter(ShardWriter&&) noexcept;

  // Appends batch.rows rows; any number at a time. Throws IoError (disk full), FormatError (more rows than
  // promised).
  void append(const Batch& batch);
  // Writes what is buffered and closes the file. Throws FormatError when rows are missing, IoError.
  void finish();
  // Size and digest of the finished file; for a small one without reading it again. Throws IoError.
  FileDigest digest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bertprep
