// An HDF5 file of token sequences of one length: ids (int32, rows x length), and which are padding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "shard/deflate/chunk_encoder.h"

namespace bertprep {

constexpr const char* kMaskColumn = "attention_mask";

struct TokenFileShape {
  std::string column;      // the dataset of ids
  std::size_t length = 0;  // of a row
  std::int32_t pad = 0;    // the id after a row's tokens
  bool has_mask = false;   // writes the dataset kMaskColumn (int8), 1 for a token
};

// HDF5 wants the number of rows before the first of them, so the chunks wait until all rows are there, encoded. Memory:
// the bytes of the file.
class TokenFileWriter {
 public:
  explicit TokenFileWriter(TokenFileShape shape);

  // A row of `length` tokens at most.
  void add(std::span<const std::int32_t> row);

  // Creates or replaces the file; call it once, with a row at least. The bytes depend only on the rows. Several threads
  // may write different files, but HDF5 admits one at a time. Throws IoError, Cancelled.
  void write(const std::filesystem::path& path, const Progress& progress = {});

 private:
  // One dataset: the rows of the chunk that is not full, and the chunks before it.
  template <class Value, class Encoder>
  struct Column {
    void end_chunk(std::size_t row_length) {
      const auto bytes = encoder.encode(std::as_bytes(std::span(values)), row_length);
      chunks.emplace_back(bytes.begin(), bytes.end());
      values.clear();
    }
    std::vector<Value> values{};
    Encoder encoder{};
    std::vector<std::vector<std::byte>> chunks{};
  };

  void end_chunks();

  TokenFileShape shape_;
  std::size_t chunk_rows_;  // of a file that has as many
  std::size_t rows_ = 0;
  Column<std::int32_t, Int32ChunkEncoder> ids_;
  Column<std::int8_t, Int8ChunkEncoder> mask_;
};

}  // namespace bertprep
