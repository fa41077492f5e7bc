#include "quality/doctor/parquet_traps.h"

#include "bertprep/base/error.h"
#include "io/input_file.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "PAR1";
constexpr std::uint64_t kEndBytes = 8;  // length of the metadata, then the magic
constexpr std::uint64_t kMaxMetadata = std::uint64_t{256} << 20U;

// Field types of Thrift's compact protocol.
enum CompactType : unsigned {
  kTrue = 1,
  kFalse,
  kByte,
  kI16,
  kI32,
  kI64,
  kDouble,
  kBinary,
  kList,
  kSet,
  kMap,
  kStruct
};

[[noreturn]] void refuse(const fs::path& file) {
  throw FormatError("is not a complete Parquet file: its metadata can't be read", file, "fetch or make it again");
}

class CompactReader {
 public:
  CompactReader(std::string_view bytes, const fs::path& file) : bytes_(bytes), file_(file) {}

  unsigned byte() {
    if (at_ >= bytes_.size()) refuse(file_);
    return static_cast<unsigned char>(bytes_[at_++]);
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const unsigned next = byte();
      value |= std::uint64_t{next & 0x7fU} << shift;
      if (next < 0x80U) return value;
    }
    refuse(file_);
  }
  // Integers are zigzag-encoded: 0, -1, 1, -2.
  std::int64_t integer() {
    const std::uint64_t value = varint();
    return static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
  }
  // The type of the next field of a struct, 0 at its end; `id` is the previous one's and becomes its own.
  unsigned field(std::int64_t& id) {
    const unsigned head = byte();
    if (head == 0) return 0;
    id = head >> 4U != 0 ? id + (head >> 4U) : integer();
    if (id < 0 || id > 32767) refuse(file_);
    return head & 0x0fU;
  }

  void skip(unsigned type, int depth = 0) {
    if (depth > 40) refuse(file_);
    switch (type) {
      case kTrue:
      case kFalse:
        return;
      case kByte:
        byte();
        return;
      case kI16:
      case kI32:
      case kI64:
        varint();
        return;
      case kDouble:
        return skip_bytes(8);
      case kBinary:
        return skip_bytes(varint());
      case kList:
      case kSet:
        return skip_list(depth);
      case kMap:
        return skip_map(depth);
      case kStruct:
        for (std::int64_t id = 0;;) {
          const unsigned member = field(id);
          if (member == 0) return;
          skip(member, depth + 1);
        }
      default:
        refuse(file_);
    }
  }

 private:
  void skip_bytes(std::uint64_t count) {
    if (count > bytes_.size() - at_) refuse(file_);
    at_ += count;
  }
  // In lists, Booleans take one byte each.
  void skip_item(unsigned type, int depth) {
    if (type == kTrue || type == kFalse) {
      byte();
    } else {
      skip(type, depth + 1);
    }
  }
  void skip_list(int depth) {
    const unsigned head = byte();
    const std::uint64_t count = head >> 4U == 15 ? varint() : head >> 4U;
    for (std::uint64_t i = 0; i < count; ++i) skip_item(head & 0x0fU, depth);
  }
  void skip_map(int depth) {
    const std::uint64_t count = varint();
    const unsigned types = count == 0 ? 0 : byte();
    for (std::uint64_t i = 0; i < count; ++i) {
      skip_item(types >> 4U, depth);
      skip_item(types & 0x0fU, depth);
    }
  }

  std::string_view bytes_;
  fs::path file_;
  std::size_t at_ = 0;
};

std::string read_at(InputFile& input, std::uint64_t offset, std::uint64_t count) {
  std::string bytes(count, '\0');
  input.seek(offset);
  if (input.read(bytes) != count) refuse(input.path());
  return bytes;
}

}  // namespace

std::uint64_t rows_of_parquet_metadata(std::string_view metadata, const fs::path& file) {
  constexpr std::int64_t kNumberOfRows = 3;  // after the version and the schema
  CompactReader reader(metadata, file);
  for (std::int64_t id = 0;;) {
    const unsigned type = reader.field(id);
    if (type == 0) refuse(file);
    if (id != kNumberOfRows) {
      reader.skip(type);
      continue;
    }
    const std::int64_t rows = type == kI64 ? reader.integer() : -1;
    if (rows < 0) refuse(file);
    return static_cast<std::uint64_t>(rows);
  }
}

std::uint64_t parquet_rows(const fs::path& file) {
  InputFile input(file);
  const std::uint64_t bytes = input.size_bytes();
  if (bytes < kEndBytes + kMagic.size()) refuse(file);
  const std::string end = read_at(input, bytes - kEndBytes, kEndBytes);
  std::uint64_t length = 0;
  for (unsigned i = 0; i < 4; ++i) length |= std::uint64_t{static_cast<unsigned char>(end[i])} << (8 * i);
  if (end.substr(4) != kMagic || length > kMaxMetadata || length > bytes - kEndBytes) refuse(file);
  return rows_of_parquet_metadata(read_at(input, bytes - kEndBytes - length, length), file);
}

}  // namespace bertprep
