// PageValues: the values of one decompressed page.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/input_file.h"
#include "source/columns/column_schema.h"
#include "source/columns/packed_numbers.h"

namespace bertprep {

// Text, or an integer in digits. Nothing: null.
using ColumnValue = std::optional<std::string_view>;

// The values that the pages of a column name by number.
class ColumnDictionary {
 public:
  // `bytes` begin with `count` values of this type. Throws FormatError that names no place, as value() does.
  ColumnDictionary(ReadBuffer bytes, std::size_t size, std::uint64_t count, ColumnType type);

  // As stored.
  std::string_view value(std::uint32_t number) const;

 private:
  ReadBuffer bytes_;
  std::string_view all_;
  ColumnType type_;
  std::vector<std::uint32_t> begins_;
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
  PageValues(PageContent page, const SchemaColumn& column);

  std::uint64_t left() const { return page_.values; }
  // Requires left() > 0. Valid until the next call.
  ColumnValue next();

 private:
  std::string_view shown(std::string_view stored);
  std::string_view shown(std::uint64_t number);
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
