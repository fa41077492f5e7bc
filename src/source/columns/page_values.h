// PageValues: the values of one decompressed page of Parquet, and the numbers in it: levels and places in dictionaries,
// integers and lengths. Arrow shares some.
#pragma once

#include <cstdint>
#include <memory>

#include "source/columns/column_schema.h"

namespace bertprep {

// Little-endian, of at most 8 bytes.
inline std::uint64_t number_in(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << 8 * i;
  return value;
}

// The first `count` of `bytes`, which are removed from them. Throws FormatError that names no place if there are fewer.
std::string_view take_bytes(std::string_view& bytes, std::uint64_t count);

// HybridReader: runs of one number, and groups of eight packed bit by bit.
class HybridReader {
 public:
  HybridReader() = default;
  // Numbers of `width` bits, at most 32.
  HybridReader(std::string_view bytes, unsigned width) : bytes_(bytes), width_(width) {}

  // Throws FormatError that names no place if the bytes end.
  std::uint32_t next();

 private:
  void begin_run();

  std::string_view bytes_;  // after the run
  unsigned width_ = 0;
  std::uint64_t left_ = 0;  // of the run
  bool is_packed_ = false;
  std::uint32_t value_ = 0;  // of a run of one number
  std::string_view packed_;
  std::uint64_t bit_ = 0;  // of packed_
};

// DeltaReader: integers as differences (DELTA_BINARY_PACKED).
class DeltaReader {
 public:
  DeltaReader() = default;
  // Throws FormatError that names no place, as next() does: the bytes end, or make no sense.
  explicit DeltaReader(std::string_view bytes);

  // How many integers there are, and are left.
  std::uint64_t left() const { return left_; }
  // Requires left() > 0.
  std::int64_t next();

  // What follows the integers. They must not have been read.
  std::string_view rest() const;

 private:
  void begin_block();
  void begin_miniblock();

  std::string_view bytes_;
  std::uint64_t miniblocks_ = 0;  // a block
  std::uint64_t miniblock_values_ = 0;
  std::uint64_t left_ = 0;
  std::uint64_t value_ = 0;  // the next one
  bool is_first_ = true;
  std::uint64_t least_ = 0;  // difference in the block
  std::string_view widths_;  // of the miniblocks to come in the block
  std::string_view packed_;  // the miniblock
  unsigned width_ = 0;
  std::uint64_t in_miniblock_ = 0;  // values left
  std::uint64_t bit_ = 0;
};

// Text, or an integer in digits. Nothing: null.
using ColumnValue = std::optional<std::string_view>;

// An integer of so many bytes, of which the others don't count.
std::string digits(std::uint64_t number, unsigned bytes, bool is_signed);

// Throws FormatError that names no place: `what` ("a page") is too large.
void require_size(const std::string& what, std::uint64_t bytes, std::uint64_t max_bytes);

// The values that a column names by number.
class ColumnDictionary {
 public:
  // Throws as require_size does.
  void add(ColumnValue value, std::uint64_t max_bytes);
  // Valid as long as nothing is added. Throws FormatError that names no place.
  ColumnValue value(std::uint64_t number) const;

 private:
  std::string text_;
  std::vector<std::uint64_t> ends_;  // of each value in text_, with the highest bit set: null
};

struct PageContent {
  std::uint64_t values = 0;  // nulls included
  std::uint64_t encoding = 0;
  std::string_view levels{};
  std::string_view bytes{};  // after the levels
  std::shared_ptr<const ColumnDictionary> dictionary{};
};

class PageValues {
 public:
  PageValues() = default;
  // The views of `page` must outlive the object. Throws FormatError that names no place, as next() does: an encoding
  // that is not read, bytes that end early.
  PageValues(PageContent page, const SchemaNode& column);

  std::uint64_t left() const { return page_.values; }
  // Requires left() > 0. Valid until the next call.
  ColumnValue next();

 private:
  std::string_view shown(std::uint64_t number);
  std::string_view next_plain();
  std::string_view next_by_prefix();

  PageContent page_;
  ColumnType type_ = ColumnType::kText;
  unsigned levels_ = 0;
  HybridReader level_numbers_;
  std::optional<HybridReader> places_;  // in the dictionary
  DeltaReader numbers_;                 // integers, or lengths
  DeltaReader prefixes_;                // lengths of what a text has of the one before
  std::string last_;                    // a text, or the digits of a number
};

}  // namespace bertprep
