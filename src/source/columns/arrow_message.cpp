#include "source/columns/arrow_message.h"

#include <algorithm>

namespace bertprep {
namespace {

constexpr std::size_t kMaxDepth = 40;
constexpr std::size_t kMaxFields = 100'000;  // tables may be named many times
constexpr unsigned kViewBytes = 16;
constexpr std::size_t kInlineBytes = 12;
constexpr const char* kShort = "a column is shorter than its batch";

// Codes of the format.
enum Kind : std::uint64_t {
  kNull = 1,
  kInt = 2,
  kBinary = 4,
  kUtf8 = 5,
  kList = 12,
  kStruct = 13,
  kUnion = 14,
  kFixedSizeList = 16,
  kMap = 17,
  kLargeBinary = 19,
  kLargeUtf8 = 20,
  kLargeList = 21,
  kRunEnds = 22,
  kBinaryView = 23,
  kUtf8View = 24,
  kListView = 25,
  kLargeListView = 26
};

bool is_list(std::uint64_t kind) {
  return kind == kList || kind == kFixedSizeList || kind == kMap || kind == kLargeList || kind == kRunEnds ||
         kind == kUnion || kind == kListView || kind == kLargeListView;
}

bool is_text(std::uint64_t kind) {
  return kind == kUtf8 || kind == kLargeUtf8 || kind == kUtf8View;
}

// Of views, those that each batch has.
std::size_t buffers_of(std::uint64_t kind, const std::optional<FlatTable>& type) {
  switch (kind) {
    case kNull:
    case kRunEnds:
      return 0;
    case kStruct:
    case kFixedSizeList:
      return 1;
    case kUnion:
      return type && type->number(0, 2) == 1 ? 2 : 1;
    case kBinary:
    case kUtf8:
    case kLargeBinary:
    case kLargeUtf8:
    case kListView:
    case kLargeListView:
      return 3;
    default:
      return 2;
  }
}

// Without a type, numbers have 32 bits.
void set_number(const std::optional<FlatTable>& type, ArrowField& field) {
  const std::uint64_t bits = type ? type->number(0, 4) : 32;
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64) throw FormatError("it has integers of no known size");
  field.width = static_cast<unsigned>(bits / 8);
  field.is_signed = !type || type->number(1, 1) != 0;
}

void set_text(std::uint64_t kind, ArrowField& field) {
  field.type = ColumnType::kText;
  field.is_view = kind == kUtf8View;
  field.width = field.is_view ? kViewBytes : kind == kLargeUtf8 ? 8 : 4;
}

class SchemaWalk {
 public:
  explicit SchemaWalk(ArrowSchema& schema) : schema_(schema) { schema_.columns.emplace_back(); }

  void add_all(const FlatTable& holder, unsigned list, std::optional<std::size_t> parent, bool is_repeated,
               std::size_t depth) {
    if (depth > kMaxDepth) throw FormatError("its columns are nested too deep");
    const std::string_view items = holder.items(list, 4);
    for (std::size_t i = 0; i < items.size() / 4; ++i) add(holder.item(items, i), parent, is_repeated, depth);
    if (depth == 0) schema_.columns.front().end = schema_.columns.size();
  }

 private:
  void add(const FlatTable& field, std::optional<std::size_t> parent, bool is_repeated, std::size_t depth) {
    if (schema_.fields.size() > kMaxFields) throw FormatError("it has too many columns");
    const std::uint64_t kind = field.number(2, 1);
    const auto type = field.table(3);
    const auto encoding = field.table(4);
    ArrowField one{.parent = parent, .node = schema_.nodes++, .buffer = schema_.buffers, .views = schema_.views};
    one.has_validity = encoding || (kind != kNull && kind != kUnion && kind != kRunEnds);
    if (encoding) {
      if (is_text(kind)) set_dictionary(*encoding, kind, one);
    } else if (is_text(kind)) {
      set_text(kind, one);
    } else if (kind == kStruct) {
      one.type = ColumnType::kGroup;
    } else if (kind == kInt) {
      set_number(type, one);
      one.type = one.is_signed ? ColumnType::kInt64 : ColumnType::kUint64;
    }
    schema_.buffers += encoding ? 2 : buffers_of(kind, type);
    if (!encoding && (kind == kUtf8View || kind == kBinaryView)) ++schema_.views;
    const std::size_t number = schema_.fields.size();
    const std::size_t place = schema_.columns.size();
    is_repeated = is_repeated || is_list(kind);
    schema_.fields.push_back(one);
    schema_.columns.push_back({std::string(field.text(0)), one.type, is_repeated, 0, number, 0});
    if (!encoding) add_all(field, 5, number, is_repeated, depth + 1);
    schema_.columns[place].end = schema_.columns.size();
  }

  void set_dictionary(const FlatTable& encoding, std::uint64_t kind, ArrowField& field) {
    field.type = ColumnType::kText;
    field.dictionary = encoding.number(0, 8);
    set_number(encoding.table(1), field);
    set_text(kind, schema_.dictionaries[*field.dictionary]);
  }

  ArrowSchema& schema_;
};

bool is_set(std::string_view bits, std::uint64_t row) {
  return bits.empty() || (static_cast<unsigned char>(bits[row / 8]) >> row % 8 & 1U) != 0;
}

std::string digits(std::uint64_t value, unsigned width, bool is_signed) {
  const unsigned unused = 64 - 8 * width;
  if (!is_signed) return std::to_string(value);
  return std::to_string(static_cast<std::int64_t>(value << unused) >> unused);
}

std::string_view part_of(std::string_view text, std::uint64_t begin, std::uint64_t size) {
  if (begin > text.size() || size > text.size() - begin) throw FormatError("a text is longer than its column");
  return text.substr(begin, size);
}

}  // namespace

ArrowSchema parse_arrow_schema(const FlatTable& schema) {
  if (schema.number(0, 2) != 0) throw FormatError("its numbers are big-endian");
  ArrowSchema parsed;
  SchemaWalk(parsed).add_all(schema, 1, std::nullopt, false, 0);
  return parsed;
}

void ArrowDictionary::add(ColumnValue value) {
  text_ += value.value_or("");
  ends_.push_back(text_.size());
  is_null_.push_back(!value);
}

ColumnValue ArrowDictionary::value(std::uint64_t number) const {
  if (number >= ends_.size()) throw FormatError("a value is missing in its dictionary");
  if (is_null_[number]) return std::nullopt;
  const std::uint64_t begin = number == 0 ? 0 : ends_[number - 1];
  return std::string_view(text_).substr(begin, ends_[number] - begin);
}

// Other counts than those of the schema mean other places than we know.
ArrowBatch::ArrowBatch(const FlatTable& batch, const Body& body, const ArrowSchema& layout)
    : batch_(batch), body_(body), rows_(batch.number(0, 8)), buffers_(batch.items(2, 16)) {
  const std::string_view views = batch.items(4, 8);
  std::uint64_t buffers = layout.buffers;
  for (std::size_t i = 0; i < views.size(); i += 8) buffers += FlatTable::number_at(views, i, 8);
  if (batch.items(1, 16).size() / 16 != layout.nodes || buffers_.size() / 16 != buffers ||
      views.size() / 8 != layout.views) {
    throw FormatError("a batch does not have the columns of the schema");
  }
}

std::size_t ArrowBatch::views_before(const ArrowField& field) const {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < field.views; ++i) count += FlatTable::number_at(batch_->items(4, 8), i * 8, 8);
  return static_cast<std::size_t>(count);
}

// A compressed one begins with its length, or with -1 if it is stored as it is.
std::string_view ArrowBatch::buffer(std::size_t number) {
  const std::uint64_t offset = FlatTable::number_at(buffers_, number * 16, 8);
  const std::uint64_t length = FlatTable::number_at(buffers_, number * 16 + 8, 8);
  if (offset > body_.bytes.size() || length > body_.bytes.size() - offset)
    throw FormatError("a column is longer than its batch");
  const std::string_view stored = body_.bytes.substr(offset, length);
  const auto compression = batch_->table(3);
  if (!compression || stored.empty()) return stored;
  const std::uint64_t bytes = FlatTable::number_at(stored, 0, 8);
  if (bytes == ~std::uint64_t{0}) return stored.substr(8);
  if (bytes > body_.max_bytes) throw FormatError("a batch expands to too many bytes");
  body_.max_bytes -= bytes;
  const PageCodec codec = compression->number(0, 1) == 0 ? PageCodec::kLz4Frame : PageCodec::kZstd;
  std::string& out = unpacked_.emplace_back(bytes + 1, '\0');
  if (!body_.unpacker->unpack(codec, stored.substr(8), bytes, out)) throw FormatError("a column can't be decompressed");
  return std::string_view(out).substr(0, bytes);
}

void ArrowBatch::add_validity(const ArrowField& field, Column& column) {
  const std::string_view node = batch_->items(1, 16).substr(field.node * 16, 16);
  if (FlatTable::number_at(node, 0, 8) != rows_) throw FormatError(kShort);
  if (!field.has_validity || FlatTable::number_at(node, 8, 8) == 0) return;
  const std::string_view bits = buffer(field.buffer + views_before(field));
  if (bits.size() < rows_ / 8 + (rows_ % 8 == 0 ? 0 : 1)) throw FormatError(kShort);
  column.validities.push_back(bits);
}

void ArrowBatch::add(const std::vector<ArrowField>& fields, std::size_t field, const ArrowDictionary* dictionary) {
  const ArrowField& one = fields[field];
  Column column{.field = one, .dictionary = dictionary};
  if (one.dictionary && dictionary == nullptr) throw FormatError("the dictionary of a column is missing");
  const std::size_t first = one.buffer + views_before(one);
  const bool has_offsets = one.type == ColumnType::kText && !one.dictionary && !one.is_view;
  column.numbers = buffer(first + 1);
  if (rows_ != 0 && column.numbers.size() / one.width < rows_ + (has_offsets ? 1 : 0)) throw FormatError(kShort);
  if (has_offsets) column.texts.push_back(buffer(first + 2));
  if (one.is_view) {
    const std::uint64_t texts = FlatTable::number_at(batch_->items(4, 8), one.views * 8, 8);
    for (std::uint64_t i = 0; i < texts; ++i) column.texts.push_back(buffer(first + 2 + i));
  }
  add_validity(one, column);
  for (auto at = one.parent; at; at = fields[*at].parent) add_validity(fields[*at], column);
  columns_.push_back(std::move(column));
}

// A short text is in its view; of others, it has the number of a buffer, and the place there.
std::string_view ArrowBatch::viewed(const Column& column, std::uint64_t row) {
  const std::string_view view = column.numbers.substr(row * kViewBytes, kViewBytes);
  const std::uint64_t size = FlatTable::number_at(view, 0, 4);
  if (size <= kInlineBytes) return view.substr(4, size);
  const std::uint64_t text = FlatTable::number_at(view, 8, 4);
  if (text >= column.texts.size()) throw FormatError("a text is longer than its column");
  return part_of(column.texts[text], FlatTable::number_at(view, 12, 4), size);
}

ColumnValue ArrowBatch::value(std::size_t added, std::uint64_t row) {
  Column& column = columns_[added];
  const unsigned width = column.field.width;
  if (!std::ranges::all_of(column.validities, [&](std::string_view bits) { return is_set(bits, row); })) {
    return std::nullopt;
  }
  if (column.field.is_view && !column.dictionary) return viewed(column, row);
  const std::uint64_t number = FlatTable::number_at(column.numbers, row * width, width);
  if (column.dictionary != nullptr) return column.dictionary->value(number);
  if (column.field.type != ColumnType::kText) return column.shown = digits(number, width, column.field.is_signed);
  const std::uint64_t end = FlatTable::number_at(column.numbers, (row + 1) * width, width);
  return part_of(column.texts.front(), number, end - number);
}

}  // namespace bertprep
