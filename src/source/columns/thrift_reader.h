// ThriftReader: Thrift's compact protocol, in which Parquet's metadata and the headers of its pages are written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "bertprep/base/error.h"

namespace bertprep {

enum class ThriftType { kStop, kTrue, kFalse, kByte, kI16, kI32, kI64, kDouble, kBinary, kList, kSet, kMap, kStruct };

// A field of a struct, or an item of a list, whose value comes next.
struct ThriftField {
  ThriftType type = ThriftType::kStop;
  std::int64_t id = 0;
};

// The bytes end within a value.
class ThriftEnd final : public FormatError {
 public:
  ThriftEnd() : FormatError("its metadata ends early") {}
};

// Throws FormatError that names no place.
class ThriftReader {
 public:
  explicit ThriftReader(std::string_view bytes) : bytes_(bytes) {}

  // Reads the struct that comes next: integers with these numbers, not negative, and calls take(field) for each other
  // field; `take` must read or skip its value.
  using Numbers = std::initializer_list<std::pair<std::int64_t, std::uint64_t*>>;
  template <class Take>
  void read_struct(Numbers numbers, const Take& take) {
    for (ThriftField field; next_field(field);) {
      if (!read_number(field, numbers)) take(field);
    }
  }
  void read_struct(Numbers numbers) {
    read_struct(numbers, [this](const ThriftField& field) { skip(field); });
  }
  // Calls take() for each struct of a list, which `take` must read, and skips anything else.
  template <class Take>
  void read_list(const ThriftField& list, const Take& take) {
    if (list.type != ThriftType::kList) return skip(list);
    ThriftField item;
    for (std::uint64_t left = begin_list(item); left > 0; --left)
      item.type == ThriftType::kStruct ? take() : skip(item);
  }

  // These fail if the field has another type.
  std::int64_t integer(const ThriftField& field);
  std::string_view binary(const ThriftField& field);
  bool boolean(const ThriftField& field);
  void skip(const ThriftField& field) { skip(field.type, false, 0); }

  // How many bytes were read.
  std::size_t position() const { return position_; }

 private:
  bool next_field(ThriftField& field);
  bool read_number(const ThriftField& field, Numbers numbers);
  std::uint64_t begin_list(ThriftField& item);
  unsigned byte();
  std::uint64_t varint();
  std::string_view take(std::uint64_t count);
  void skip(ThriftType type, bool is_item, int depth);

  std::string_view bytes_;
  std::size_t position_ = 0;
};

}  // namespace bertprep
