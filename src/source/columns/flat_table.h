// FlatTable: a table of a flatbuffer, as Arrow writes its messages. All offsets are checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "bertprep/base/error.h"
#include "source/columns/packed_numbers.h"

namespace bertprep {

// Throws FormatError that names no place: an offset leads out of the bytes.
class FlatTable {
 public:
  static FlatTable root_of(std::string_view bytes) { return {bytes, number_at(bytes, 0, 4)}; }

  // The number of `width` bytes in a field, 0 if the field is not there.
  std::uint64_t number(unsigned field, unsigned width) const {
    const auto place = place_of(field);
    return place ? number_at(bytes_, *place, width) : 0;
  }
  std::optional<FlatTable> table(unsigned field) const {
    const auto place = place_of(field);
    return place ? std::optional(FlatTable(bytes_, *place + number_at(bytes_, *place, 4))) : std::nullopt;
  }
  std::string_view text(unsigned field) const { return items(field, 1); }

  // The items of a list, as bytes; nothing if it is not there.
  std::string_view items(unsigned field, std::uint64_t item_bytes) const {
    const auto place = place_of(field);
    if (!place) return {};
    const std::uint64_t list = *place + number_at(bytes_, *place, 4);
    const std::uint64_t count = number_at(bytes_, list, 4);
    if (count > bytes_.size() / item_bytes || list + 4 + count * item_bytes > bytes_.size()) fail();
    return bytes_.substr(list + 4, count * item_bytes);
  }
  // Calls take(table) for each item of a list of tables.
  template <class Take>
  void each_table(unsigned field, const Take& take) const {
    for (std::string_view left = items(field, 4); !left.empty(); left.remove_prefix(4)) {
      const auto place = static_cast<std::uint64_t>(left.data() - bytes_.data());
      take(FlatTable(bytes_, place + number_in(left.substr(0, 4))));
    }
  }

  static std::uint64_t number_at(std::string_view bytes, std::uint64_t place, unsigned width) {
    if (place > bytes.size() || width > bytes.size() - place) fail();
    return number_in(bytes.substr(place, width));
  }

 private:
  FlatTable(std::string_view bytes, std::uint64_t place) : bytes_(bytes), place_(place) {
    fields_ = place_ - static_cast<std::uint64_t>(static_cast<std::int32_t>(number_at(bytes_, place_, 4)));
  }

  [[noreturn]] static void fail() { throw FormatError("its metadata can't be read"); }

  std::optional<std::uint64_t> place_of(unsigned field) const {
    if (4 + 2 * field >= number_at(bytes_, fields_, 2)) return std::nullopt;
    const std::uint64_t offset = number_at(bytes_, fields_ + 4 + 2 * field, 2);
    return offset == 0 ? std::nullopt : std::optional(place_ + offset);
  }

  std::string_view bytes_;
  std::uint64_t place_;
  std::uint64_t fields_;  // where the places of the fields are
};

}  // namespace bertprep
