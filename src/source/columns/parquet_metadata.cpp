#include "source/columns/parquet_metadata.h"

#include <algorithm>
#include <limits>
#include <string>

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "source/columns/packed_numbers.h"
#include "source/columns/thrift_reader.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

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

}  // namespace bertprep
