// read_parquet_metadata: what the end of a Parquet file says about its columns and row groups (Apache Parquet 2.12).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "source/columns/column_schema.h"
#include "source/columns/page_unpacker.h"

namespace bertprep {

// The pages of one column in one row group.
struct ColumnChunk {
  std::uint64_t begin = 0;  // bytes of the file
  std::uint64_t end = 0;
  std::uint64_t values = 0;
  PageCodec codec = PageCodec::kNone;
};

struct RowGroup {
  std::uint64_t rows = 0;
  std::uint64_t first_row = 0;  // from 0
  std::vector<ColumnChunk> columns{};

  // Of its first page.
  std::uint64_t begin() const;
};

struct ParquetMetadata {
  std::uint64_t rows = 0;
  ColumnSchema schema{};
  std::vector<RowGroup> groups{};
};

// Throws IoError, and FormatError naming the file: it is cut or damaged, encrypted, or its columns are in other files.
ParquetMetadata read_parquet_metadata(const std::filesystem::path& file);

// The same from the bytes of FileMetaData, which begin at byte `begin` of the file. Throws FormatError that names no
// place.
ParquetMetadata parse_parquet_metadata(std::string_view bytes, std::uint64_t begin);

}  // namespace bertprep
