// PageReader: the pages of a column, one after the other, as they are stored.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/input_file.h"
#include "source/columns/parquet_metadata.h"

namespace bertprep {

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

// Throws ThriftEnd for bytes that end early, FormatError that names no place; `used` is the length of the header.
PageHeader parse_page_header(std::string_view bytes, std::size_t& used);

class PageReader {
 public:
  // Throws IoError.
  explicit PageReader(const std::filesystem::path& file) : file_(file) {}

  void begin(const ColumnChunk& chunk);
  // The header of the next page, whose bytes must be read next. Throws IoError, and FormatError that names no place.
  PageHeader next_header();
  void read(std::span<char> stored);

  // The next byte of the file.
  std::uint64_t position() const { return position_; }

 private:
  std::string_view peek(std::size_t wanted);

  InputFile file_;
  std::uint64_t position_ = 0;  // of window_[used_]
  std::uint64_t end_ = 0;
  std::string window_;
  std::size_t used_ = 0;
};

}  // namespace bertprep
