// read_parquet_metadata: what the end of a Parquet file says about its columns and row groups (Apache Parquet 2.12),
// and what is said in front of each page.
#pragma once

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

enum class PageKind { kData, kIndex, kDictionary, kDataV2 };

struct PageHeader {
  PageKind kind = PageKind::kData;
  std::uint64_t bytes = 0;         // decompressed, levels included
  std::uint64_t stored_bytes = 0;  // the same as stored
  std::optional<std::uint32_t> checksum{};
  std::uint64_t values = 0;  // nulls included
  std::uint64_t encoding = 0;
  std::uint64_t level_encoding = 0;
  // Of kDataV2, in which levels are never compressed.
  std::uint64_t repetition_bytes = 0;
  std::uint64_t definition_bytes = 0;
  bool is_compressed = true;

  std::uint64_t levels() const { return repetition_bytes + definition_bytes; }
};

// Nothing for bytes that end early. Throws FormatError that names no place; `used` is the length of the header.
std::optional<PageHeader> parse_page_header(std::string_view bytes, std::size_t& used);

}  // namespace bertprep
