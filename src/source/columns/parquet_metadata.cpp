#include "source/columns/parquet_metadata.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <utility>

#include "bertprep/base/error.h"
#include "source/columns/page_values.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxDepth = 40;

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

// ThriftReader: Thrift's compact protocol, in which Parquet's metadata and the headers of its pages are written. Throws
// FormatError that names no place.
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
  // 0, -1, 1, -2.
  std::int64_t integer(const ThriftField& field) {
    require(is_integer(field.type));
    const std::uint64_t value = varint();
    return static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
  }

  std::string_view binary(const ThriftField& field) {
    require(field.type == ThriftType::kBinary);
    return take(varint());
  }

  bool boolean(const ThriftField& field) {
    require(field.type == ThriftType::kTrue || field.type == ThriftType::kFalse);
    return field.type == ThriftType::kTrue;
  }

  void skip(const ThriftField& field) { skip(field.type, false, 0); }

  // How many bytes were read.
  std::size_t position() const { return position_; }

 private:
  bool next_field(ThriftField& field) {
    const unsigned head = byte();
    field.type = thrift_type(head & 0x0FU);
    if (field.type == ThriftType::kStop) return false;
    field.id = head >> 4U != 0 ? field.id + (head >> 4U) : integer({ThriftType::kI16});
    require(field.id >= 0 && field.id <= 32767);
    return true;
  }

  bool read_number(const ThriftField& field, Numbers numbers) {
    for (const auto& [id, value] : numbers) {
      if (id != field.id || !is_integer(field.type)) continue;
      const std::int64_t number = integer(field);
      require(number >= 0);
      *value = static_cast<std::uint64_t>(number);
      return true;
    }
    return false;
  }

  std::uint64_t begin_list(ThriftField& item) {
    const unsigned head = byte();
    item.type = thrift_type(head & 0x0FU);
    return head >> 4U == 15 ? varint() : head >> 4U;
  }

  unsigned byte() {
    if (position_ >= bytes_.size()) throw ThriftEnd();
    return static_cast<unsigned char>(bytes_[position_++]);
  }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      require(shift < 64);
      const unsigned next = byte();
      value |= std::uint64_t{next & 0x7FU} << shift;
      if (next < 0x80U) return value;
    }
  }

  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size() - position_) throw ThriftEnd();
    position_ += count;
    return bytes_.substr(position_ - count, count);
  }

  // Booleans have no bytes as fields, and one as items.
  void skip(ThriftType type, bool is_item, int depth) {
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

  std::string_view bytes_;
  std::size_t position_ = 0;
};

constexpr std::string_view kMagic = "PAR1";
constexpr std::string_view kEncryptedMagic = "PARE";
constexpr std::uint64_t kEndBytes = 8;  // the length of the metadata, then the magic
// In memory, metadata made to harm takes twenty times its bytes.
constexpr std::uint64_t kMaxMetadata = std::uint64_t{64} << 20;
constexpr std::size_t kMaxSchemaDepth = 40;

// Codes of the format.
enum Repetition : std::uint64_t { kOptional = 1, kRepeated = 2 };
enum Physical : std::uint64_t { kInt32 = 1, kInt64 = 2, kByteArray = 6 };
constexpr std::uint64_t kAbsent = ~std::uint64_t{0};

struct SchemaElement {
  SchemaNode node{};
  std::uint64_t physical = kAbsent;
  std::uint64_t repetition = 0;
  std::uint64_t converted = kAbsent;  // how the values are to be read, the older way
  std::uint64_t logical = kAbsent;    // and the newer one: a field of a union
  bool is_unsigned = false;
  std::uint64_t children = 0;
};

void read_logical_type(ThriftReader& in, SchemaElement& element) {
  constexpr std::int64_t kInteger = 10;
  in.read_struct({}, [&](const ThriftField& kind) {
    element.logical = static_cast<std::uint64_t>(kind.id);
    if (kind.id != kInteger || kind.type != ThriftType::kStruct) return in.skip(kind);
    in.read_struct({}, [&](const ThriftField& field) {
      if (field.id != 2) return in.skip(field);
      element.is_unsigned = !in.boolean(field);
    });
  });
}

SchemaElement read_element(ThriftReader& in) {
  SchemaElement element;
  in.read_struct({{1, &element.physical}, {3, &element.repetition}, {5, &element.children}, {6, &element.converted}},
                 [&](const ThriftField& field) {
                   if (field.id == 10 && field.type == ThriftType::kStruct) return read_logical_type(in, element);
                   if (field.id != 4) return in.skip(field);
                   element.node.name = in.binary(field);
                 });
  return element;
}

ColumnType type_of(const SchemaElement& element) {
  const auto is_one_of = [](std::uint64_t code, std::initializer_list<std::uint64_t> codes) {
    return std::ranges::find(codes, code) != codes.end();
  };
  const bool is_32 = element.physical == kInt32;
  if (element.physical == kByteArray) {  // without a type, as old writers leave them, or UTF8, ENUM, JSON
    const bool is_text =
        is_one_of(element.converted, {kAbsent, 0, 4, 19}) && is_one_of(element.logical, {kAbsent, 1, 4, 12});
    return is_text ? ColumnType::kText : ColumnType::kOther;
  }
  const bool is_number = element.converted == kAbsent || (element.converted >= 11 && element.converted <= 18);
  // Not times and decimals.
  if (!is_number || !is_one_of(element.logical, {kAbsent, 10}) || !is_one_of(element.physical, {kInt32, kInt64})) {
    return ColumnType::kOther;
  }
  const bool is_unsigned = element.is_unsigned || (element.converted >= 11 && element.converted <= 14);
  if (is_unsigned) return is_32 ? ColumnType::kUint32 : ColumnType::kUint64;
  return is_32 ? ColumnType::kInt32 : ColumnType::kInt64;
}

// Makes the tree from the list of its elements.
class SchemaReader {
 public:
  void add(SchemaElement element) {
    if (!nodes_.empty() && open_.empty()) throw FormatError("its columns don't make a tree");
    SchemaNode node = std::move(element.node);
    if (!open_.empty()) {
      const SchemaNode& parent = nodes_[open_.back().node];
      node.is_repeated = parent.is_repeated || element.repetition == kRepeated;
      node.levels = parent.levels + (element.repetition == kOptional ? 1 : 0);
      --open_.back().children;
    }
    node.end = nodes_.size() + 1;
    const bool is_group = element.children > 0 || nodes_.empty();
    if (!is_group) {
      node.type = type_of(element);
      node.column = columns_++;
    }
    nodes_.push_back(std::move(node));
    if (is_group) open_.push_back({nodes_.size() - 1, element.children});
    if (open_.size() > kMaxSchemaDepth) throw FormatError("its groups are nested too deep");
    close_full();
  }

  ColumnSchema finish() {
    if (nodes_.empty() || !open_.empty()) throw FormatError("its columns don't make a tree");
    nodes_.front().name.clear();  // "schema" or the like
    return std::move(nodes_);
  }
  std::size_t columns() const { return columns_; }

 private:
  struct OpenGroup {
    std::size_t node;
    std::uint64_t children;  // still to come
  };

  void close_full() {
    for (; !open_.empty() && open_.back().children == 0; open_.pop_back())
      nodes_[open_.back().node].end = nodes_.size();
  }

  ColumnSchema nodes_;
  std::vector<OpenGroup> open_;
  std::size_t columns_ = 0;
};

ColumnChunk read_column_metadata(ThriftReader& in, std::uint64_t file_bytes) {
  ColumnChunk chunk;
  std::uint64_t codec = 0;
  std::uint64_t data = 0;
  std::uint64_t dictionary = 0;
  std::uint64_t bytes = 0;
  in.read_struct({{4, &codec}, {5, &chunk.values}, {7, &bytes}, {9, &data}, {11, &dictionary}});
  chunk.codec = page_codec(codec);
  chunk.begin = dictionary != 0 ? std::min(dictionary, data) : data;
  chunk.end = chunk.begin + bytes;
  if (chunk.begin < kMagic.size() || chunk.begin > file_bytes || bytes > file_bytes - chunk.begin) {
    throw FormatError("a column is said to lie outside of the file");
  }
  return chunk;
}

ColumnChunk read_chunk(ThriftReader& in, std::uint64_t file_bytes) {
  ColumnChunk chunk;
  in.read_struct({}, [&](const ThriftField& field) {
    if (field.id == 1 && !in.binary(field).empty()) throw FormatError("its columns are in other files");
    if (field.id == 8) throw FormatError("its columns are encrypted");
    if (field.id == 3 && field.type == ThriftType::kStruct) {
      chunk = read_column_metadata(in, file_bytes);
    } else if (field.id != 1) {
      in.skip(field);
    }
  });
  if (chunk.begin == 0) throw FormatError("its metadata lacks a column");
  return chunk;
}

RowGroup read_group(ThriftReader& in, std::uint64_t file_bytes) {
  RowGroup group;
  in.read_struct({{3, &group.rows}}, [&](const ThriftField& field) {
    if (field.id != 1) return in.skip(field);
    in.read_list(field, [&] { group.columns.push_back(read_chunk(in, file_bytes)); });
  });
  return group;
}

std::string read_at(InputFile& input, std::uint64_t offset, std::uint64_t count) {
  std::string bytes(count, '\0');
  input.seek(offset);
  if (input.read(bytes) != count) throw FormatError("it became shorter while it was read");
  return bytes;
}

ParquetMetadata read_metadata(InputFile& input) {
  const std::uint64_t bytes = input.size_bytes();
  if (bytes < kEndBytes + kMagic.size()) throw FormatError("it is too short");
  const std::string end = read_at(input, bytes - kEndBytes, kEndBytes);
  const std::uint64_t length = number_in(std::string_view(end).substr(0, 4));
  if (end.substr(4) == kEncryptedMagic) throw FormatError("it is encrypted");
  if (end.substr(4) != kMagic) throw FormatError("its end is missing");
  if (length > kMaxMetadata || length > bytes - kEndBytes - kMagic.size()) {
    throw FormatError("its metadata is said to have " + std::to_string(length) + " bytes");
  }
  const std::uint64_t begin = bytes - kEndBytes - length;
  return parse_parquet_metadata(read_at(input, begin, length), begin);
}

}  // namespace

std::uint64_t RowGroup::begin() const {
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
  for (const ColumnChunk& chunk : columns) first = std::min(first, chunk.begin);
  return first;
}

ParquetMetadata parse_parquet_metadata(std::string_view bytes, std::uint64_t begin) {
  ParquetMetadata metadata;
  SchemaReader schema;
  ThriftReader in(bytes);
  std::uint64_t rows = 0;
  in.read_struct({{3, &metadata.rows}}, [&](const ThriftField& field) {
    if (field.id == 2) return in.read_list(field, [&] { schema.add(read_element(in)); });
    if (field.id != 4) return in.skip(field);
    in.read_list(field, [&] {
      RowGroup& group = metadata.groups.emplace_back(read_group(in, begin));
      group.first_row = rows;
      if (group.rows > metadata.rows - rows) throw FormatError("its row groups have more rows than the file");
      rows += group.rows;
    });
  });
  const std::size_t columns = schema.columns();
  metadata.schema = schema.finish();
  const bool is_whole =
      std::ranges::all_of(metadata.groups, [&](const RowGroup& group) { return group.columns.size() == columns; });
  if (!is_whole) throw FormatError("a row group has another number of columns than the file");
  if (rows != metadata.rows) throw FormatError("its row groups have fewer rows than the file");
  return metadata;
}

ParquetMetadata read_parquet_metadata(const fs::path& file) {
  InputFile input(file);
  try {
    return read_metadata(input);
  } catch (const FormatError& error) {
    throw FormatError(std::string("is not a complete Parquet file: ") + error.what(), file, "fetch or make it again");
  }
}

std::optional<PageHeader> parse_page_header(std::string_view bytes, std::size_t& used) try {
  PageHeader header;
  std::uint64_t kind = 0;
  ThriftReader in(bytes);
  in.read_struct({{1, &kind}, {2, &header.bytes}, {3, &header.stored_bytes}}, [&](const ThriftField& field) {
    const bool is_struct = field.type == ThriftType::kStruct;
    if (field.id == 4) {
      header.checksum = static_cast<std::uint32_t>(in.integer(field));
    } else if (is_struct && (field.id == 5 || field.id == 7)) {
      in.read_struct({{1, &header.values}, {2, &header.encoding}, {3, &header.level_encoding}});
    } else if (is_struct && field.id == 8) {
      in.read_struct(
          {{1, &header.values}, {4, &header.encoding}, {5, &header.definition_bytes}, {6, &header.repetition_bytes}},
          [&](const ThriftField& one) {
            if (one.id != 7) return in.skip(one);
            header.is_compressed = in.boolean(one);
          });
    } else {
      in.skip(field);
    }
  });
  if (kind > static_cast<std::uint64_t>(PageKind::kDataV2)) throw FormatError("a page is of no known kind");
  header.kind = static_cast<PageKind>(kind);
  if (header.levels() > std::min(header.bytes, header.stored_bytes)) {
    throw FormatError("a page is shorter than its levels");
  }
  used = in.position();
  return header;
} catch (const ThriftEnd&) {
  return std::nullopt;
}

}  // namespace bertprep
