// PageValues: the values of one decompressed page.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/columns/column_schema.h"
#include "source/columns/packed_numbers.h"

namespace bertprep {

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
  PageValues(PageContent page, const SchemaColumn& column);

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
