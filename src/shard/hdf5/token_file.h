// An HDF5 file of token sequences of one length: ids (int32, rows x length), and which are padding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "bertprep/base/progress.h"

namespace bertprep {

constexpr const char* kMaskColumn = "attention_mask";

struct TokenFile {
  std::string column;                         // the dataset of ids
  std::size_t length = 0;                     // of a row
  std::span<const std::int32_t> ids;          // of the tokens of all rows, one after the other, without padding
  std::span<const std::uint32_t> row_tokens;  // number of tokens in each row, `length` at most
  std::int32_t pad = 0;                       // the id after them
  bool has_mask = false;                      // writes the dataset kMaskColumn (int8), 1 for a token
};

// Creates or replaces the file. The bytes depend only on the rows. Several threads may write different files, but HDF5
// admits one at a time. Memory: a chunk of rows. Throws IoError, Cancelled.
void write_token_file(const std::filesystem::path& path, const TokenFile& file, const Progress& progress = {});

}  // namespace bertprep
