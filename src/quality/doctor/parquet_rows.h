// The number of rows of a Parquet file, by the metadata at its end (Apache Parquet, Thrift's compact protocol).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace bertprep {

// Throws IoError, and FormatError when the file does not end as a Parquet file does.
std::uint64_t parquet_rows(const std::filesystem::path& file);

// The same of the bytes of its FileMetaData; `file` is for messages.
std::uint64_t rows_of_parquet_metadata(std::string_view metadata, const std::filesystem::path& file);

}  // namespace bertprep
