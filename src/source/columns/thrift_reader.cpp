#include "source/columns/thrift_reader.h"

namespace bertprep {
namespace {

constexpr int kMaxDepth = 40;

void require(bool is_right) {
  if (!is_right) throw FormatError("its metadata can't be read");
}

ThriftType thrift_type(unsigned code) {
  require(code <= static_cast<unsigned>(ThriftType::kStruct));
  return static_cast<ThriftType>(code);
}

bool is_integer(ThriftType type) {
  return type >= ThriftType::kI16 && type <= ThriftType::kI64;
}

}  // namespace

unsigned ThriftReader::byte() {
  if (position_ >= bytes_.size()) throw ThriftEnd();
  return static_cast<unsigned char>(bytes_[position_++]);
}

std::uint64_t ThriftReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    require(shift < 64);
    const unsigned next = byte();
    value |= std::uint64_t{next & 0x7FU} << shift;
    if (next < 0x80U) return value;
  }
}

std::string_view ThriftReader::take(std::uint64_t count) {
  if (count > bytes_.size() - position_) throw ThriftEnd();
  position_ += count;
  return bytes_.substr(position_ - count, count);
}

bool ThriftReader::next_field(ThriftField& field) {
  const unsigned head = byte();
  field.type = thrift_type(head & 0x0FU);
  if (field.type == ThriftType::kStop) return false;
  field.id = head >> 4U != 0 ? field.id + (head >> 4U) : integer({ThriftType::kI16});
  require(field.id >= 0 && field.id <= 32767);
  return true;
}

bool ThriftReader::read_number(const ThriftField& field, Numbers numbers) {
  for (const auto& [id, value] : numbers) {
    if (id != field.id || !is_integer(field.type)) continue;
    const std::int64_t number = integer(field);
    require(number >= 0);
    *value = static_cast<std::uint64_t>(number);
    return true;
  }
  return false;
}

std::uint64_t ThriftReader::begin_list(ThriftField& item) {
  const unsigned head = byte();
  item.type = thrift_type(head & 0x0FU);
  return head >> 4U == 15 ? varint() : head >> 4U;
}

// 0, -1, 1, -2.
std::int64_t ThriftReader::integer(const ThriftField& field) {
  require(is_integer(field.type));
  const std::uint64_t value = varint();
  return static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
}

std::string_view ThriftReader::binary(const ThriftField& field) {
  require(field.type == ThriftType::kBinary);
  return take(varint());
}

bool ThriftReader::boolean(const ThriftField& field) {
  require(field.type == ThriftType::kTrue || field.type == ThriftType::kFalse);
  return field.type == ThriftType::kTrue;
}

// Booleans have no bytes as fields, and one as items.
void ThriftReader::skip(ThriftType type, bool is_item, int depth) {
  require(depth <= kMaxDepth && type != ThriftType::kStop);
  if (type == ThriftType::kByte || (is_item && type <= ThriftType::kFalse)) {
    byte();
  } else if (is_integer(type)) {
    varint();
  } else if (type == ThriftType::kDouble || type == ThriftType::kBinary) {
    take(type == ThriftType::kDouble ? 8 : varint());
  } else if (type == ThriftType::kList || type == ThriftType::kSet) {
    ThriftField item;
    for (std::uint64_t left = begin_list(item); left > 0; --left) skip(item.type, true, depth + 1);
  } else if (type == ThriftType::kMap) {
    const std::uint64_t count = varint();
    const unsigned types = count == 0 ? 0 : byte();
    for (std::uint64_t i = 0; i < 2 * count; ++i)
      skip(thrift_type(i % 2 == 0 ? types >> 4U : types & 0x0FU), true, depth + 1);
  } else if (type == ThriftType::kStruct) {
    for (ThriftField field; next_field(field);) skip(field.type, false, depth + 1);
  }
}

}  // namespace bertprep
