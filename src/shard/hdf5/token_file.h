// An HDF5 file of token sequences of one length: ids (int32, rows x length), and which of them are padding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace bertprep {

struct TokenFile {
  std::string column;                 // the dataset of ids
  std::size_t length = 0;             // of a row
  std::span<const std::int32_t> ids;  // rows x length
  std::span<const std::int8_t> mask;  // the same of the dataset attention_mask, 1 for a token; empty: none is written
};

// Creates or replaces the file. The bytes depend on the rows alone. Several threads may write different files; the
// library behind lets one in at a time. Throws IoError.
void write_token_file(const std::filesystem::path& path, const TokenFile& file);

}  // namespace bertprep
