#include "source/columns/arrow_stream.h"

#include <algorithm>
#include <array>
#include <utility>

namespace bertprep {
namespace {

constexpr std::size_t kMaxFieldDepth = 40;
constexpr std::size_t kMaxFields = 100'000;  // tables may be named many times
constexpr unsigned kViewBytes = 16;
constexpr std::size_t kInlineBytes = 12;

// Codes of the format.
enum Kind { kInt = 2, kText = 5, kStruct = 13, kUnion = 14, kLargeText = 20, kByteView = 23, kTextView = 24 };
// By these codes. Of views, the buffers that each batch has; a dense union has one more.
constexpr auto kBuffers =
    std::to_array<unsigned char>({2, 0, 2, 2, 3, 3, 2, 2, 2, 2, 2, 2, 2, 1, 1, 2, 1, 2, 2, 3, 3, 2, 0, 2, 2, 3, 3});
// Lists of each size, maps, run ends, unions: a row has not one value.
constexpr auto kLists = std::to_array<std::uint64_t>({12, kUnion, 16, 17, 21, 22, 25, 26});

bool is_text(std::uint64_t kind) {
  return kind == kText || kind == kLargeText || kind == kTextView;
}

std::size_t buffers_of(std::uint64_t kind, const std::optional<FlatTable>& type) {
  const bool is_dense = kind == kUnion && type && type->number(0, 2) == 1;
  return (kind < kBuffers.size() ? kBuffers[kind] : 2U) + (is_dense ? 1U : 0U);
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
  field.is_view = kind == kTextView;
  field.width = field.is_view ? kViewBytes : kind == kLargeText ? 8 : 4;
}

// Of each field there is a column, after the root.
void add_field(const FlatTable& field, std::optional<std::size_t> parent, std::size_t depth, ArrowSchema& schema) {
  ArrowLayout& layout = schema.layout;
  if (depth > kMaxFieldDepth) throw FormatError("its columns are nested too deep");
  if (layout.fields.size() > kMaxFields) throw FormatError("it has too many columns");
  const std::uint64_t kind = field.number(2, 1);
  const auto type = field.table(3);
  const auto encoding = field.table(4);
  ArrowField one{.parent = parent, .buffer = layout.buffers, .views = layout.views};
  const std::size_t buffers = encoding ? 2 : buffers_of(kind, type);
  one.has_validity = encoding || (buffers != 0 && kind != kUnion);
  if (encoding && is_text(kind)) {
    one.type = ColumnType::kText;
    one.dictionary = encoding->number(0, 8);
    set_number(encoding->table(1), one);
    ArrowLayout& values = schema.dictionaries[*one.dictionary] = {std::vector<ArrowField>(1), buffers_of(kind, {})};
    set_text(kind, values.fields.front());
    values.views = values.fields.front().is_view ? 1 : 0;
  } else if (!encoding && is_text(kind)) {
    set_text(kind, one);
  } else if (!encoding && kind == kStruct) {
    one.type = ColumnType::kGroup;
  } else if (!encoding && kind == kInt) {
    set_number(type, one);
    one.type = one.is_signed ? ColumnType::kInt64 : ColumnType::kUint64;
  }
  layout.buffers += buffers;
  layout.views += !encoding && (kind == kTextView || kind == kByteView) ? 1 : 0;
  const std::size_t number = layout.fields.size();
  const bool is_repeated =
      schema.columns[parent ? *parent + 1 : 0].is_repeated || std::ranges::find(kLists, kind) != kLists.end();
  layout.fields.push_back(one);
  schema.columns.push_back({std::string(field.text(0)), one.type, is_repeated, 0, number, 0});
  if (!encoding) {
    field.each_table(5, [&](const FlatTable& child) { add_field(child, number, depth + 1, schema); });
  }
  schema.columns[number + 1].end = schema.columns.size();
}

bool is_set(std::string_view bits, std::uint64_t row) {
  return (static_cast<unsigned char>(bits[row / 8]) >> row % 8 & 1U) != 0;
}

std::string_view part_of(std::string_view bytes, std::uint64_t begin, std::uint64_t size, const char* fault) {
  if (begin > bytes.size() || size > bytes.size() - begin) throw FormatError(fault);
  return bytes.substr(begin, size);
}

void require_rows(bool has_all) {
  if (!has_all) throw FormatError("a column is shorter than its batch");
}

constexpr const char* kLongText = "a text is longer than its column";

constexpr std::string_view kFileMagic = "ARROW1";
constexpr std::string_view kContinuation = "\xFF\xFF\xFF\xFF";
constexpr std::uint64_t kMaxMessage = std::uint64_t{64} << 20;

void require_more(bool has_more) {
  if (!has_more) throw FormatError("it ends early");
}

}  // namespace

ArrowSchema parse_arrow_schema(const FlatTable& schema) {
  if (schema.number(0, 2) != 0) throw FormatError("its numbers are big-endian");
  ArrowSchema parsed;
  parsed.columns.emplace_back();
  schema.each_table(1, [&](const FlatTable& field) { add_field(field, std::nullopt, 0, parsed); });
  parsed.columns.front().end = parsed.columns.size();
  return parsed;
}

// Other counts than those of the schema mean other places than we know.
ArrowBatch::ArrowBatch(const FlatTable& batch, const Body& body, const ArrowLayout& layout)
    : layout_(&layout),
      body_(body),
      rows_(batch.number(0, 8)),
      compression_(batch.table(3)),
      nodes_(batch.items(1, 16)),
      buffers_(batch.items(2, 16)),
      views_(batch.items(4, 8)) {
  std::uint64_t buffers = layout.buffers;
  for (std::size_t i = 0; i < views_.size() / 8; ++i) buffers += views_of(i);
  if (nodes_.size() / 16 != layout.fields.size() || buffers_.size() / 16 != buffers ||
      views_.size() / 8 != layout.views) {
    throw FormatError("a batch does not have the columns of the schema");
  }
}

std::size_t ArrowBatch::first_buffer(const ArrowField& field) const {
  std::uint64_t number = field.buffer;
  for (std::size_t i = 0; i < field.views; ++i) number += views_of(i);
  return static_cast<std::size_t>(number);
}

// A compressed one begins with its length, or with -1 if it is stored as it is.
std::string_view ArrowBatch::buffer(std::size_t number) {
  const std::uint64_t offset = FlatTable::number_at(buffers_, number * 16, 8);
  const std::uint64_t length = FlatTable::number_at(buffers_, number * 16 + 8, 8);
  std::string_view stored = part_of(body_.bytes, offset, length, "a column is longer than its batch");
  if (!compression_ || stored.empty()) return stored;
  const std::uint64_t bytes = number_in(take_bytes(stored, 8));
  if (bytes == ~std::uint64_t{0}) return stored;
  require_size("a batch", bytes, body_.max_bytes);
  body_.max_bytes -= bytes;
  body_.expansion->add(bytes);
  const PageCodec codec = compression_->number(0, 1) == 0 ? PageCodec::kLz4Frame : PageCodec::kZstd;
  PageBuffer& buffer = unpacked_.emplace_back();
  if (!body_.unpacker->unpack(codec, stored, buffer.make(bytes))) throw FormatError("a column can't be decompressed");
  return buffer.bytes();
}

void ArrowBatch::add_validity(std::size_t field, Column& column) {
  const ArrowField& one = layout_->fields[field];
  require_rows(FlatTable::number_at(nodes_, field * 16, 8) == rows_);
  if (!one.has_validity || FlatTable::number_at(nodes_, field * 16 + 8, 8) == 0) return;
  const std::string_view bits = column.validities.emplace_back(buffer(first_buffer(one)));
  require_rows(bits.size() >= rows_ / 8 + (rows_ % 8 == 0 ? 0 : 1));
}

void ArrowBatch::add(std::size_t field, const ArrowDictionaries& dictionaries) {
  const ArrowField& one = layout_->fields[field];
  Column column{.field = one};
  if (one.dictionary) {
    const auto known = dictionaries.find(*one.dictionary);
    if (known == dictionaries.end()) throw FormatError("the dictionary of a column is missing");
    column.dictionary = &known->second;
  }
  const std::size_t first = first_buffer(one);
  const bool has_offsets = one.type == ColumnType::kText && !one.dictionary && !one.is_view;
  column.numbers = buffer(first + 1);
  require_rows(rows_ == 0 || column.numbers.size() / one.width >= rows_ + (has_offsets ? 1 : 0));
  const std::uint64_t texts = one.is_view ? views_of(one.views) : has_offsets ? 1 : 0;
  for (std::uint64_t i = 0; i < texts; ++i) column.texts.push_back(buffer(first + 2 + i));
  for (std::optional<std::size_t> at = field; at; at = layout_->fields[*at].parent) add_validity(*at, column);
  columns_.push_back(std::move(column));
}

// A short text is in its view; of others, it has the number of a buffer, and the place there.
ColumnValue ArrowBatch::value(std::size_t added, std::uint64_t row) {
  Column& column = columns_[added];
  const auto [width, is_view] = std::pair(column.field.width, column.field.is_view);
  for (const std::string_view bits : column.validities) {
    if (!is_set(bits, row)) return std::nullopt;
  }
  const std::uint64_t place = row * width;
  if (is_view) {
    const std::uint64_t size = column.number(place, 4);
    if (size <= kInlineBytes) return column.numbers.substr(place + 4, size);
    const std::uint64_t text = column.number(place + 8, 4);
    if (text >= column.texts.size()) throw FormatError(kLongText);
    return part_of(column.texts[text], column.number(place + 12, 4), size, kLongText);
  }
  const std::uint64_t number = column.number(place, width);
  if (column.dictionary != nullptr) return column.dictionary->value(number);
  if (column.field.type != ColumnType::kText) return column.shown = digits(number, width, column.field.is_signed);
  return part_of(column.texts.front(), number, column.number(place + width, width) - number, kLongText);
}

bool begins_as_arrow(std::string_view head) {
  if (head.starts_with(kFileMagic)) return true;
  if (!head.starts_with(kContinuation) || head.size() < 16) return false;
  try {
    return FlatTable::root_of(head.substr(8)).number(1, 1) == ArrowStream::kSchema;
  } catch (const FormatError&) {
    return false;
  }
}

// False at the end. Memory grows with the bytes that are there, not with those that are said to be.
bool ArrowStream::take(std::uint64_t count, std::string& bytes) {
  for (bytes.clear(); bytes.size() < count;) {
    if (!has_more() && bytes.empty()) return false;
    require_more(has_more());
    const std::string_view part = block_.substr(0, count - bytes.size());
    bytes += part;
    block_.remove_prefix(part.size());
    byte_ += part.size();
  }
  return true;
}

// False at the end of the bytes. Old writers give the length at once.
bool ArrowStream::read_length(std::uint64_t& length) {
  const bool is_first = byte_ == 0;
  message_byte_ = byte_;
  if (!take(4, head_)) return false;
  if (is_first && kFileMagic.starts_with(head_)) {
    is_file_ = true;
    require_more(take(4, head_));
    return read_length(length);
  }
  if (head_ == kContinuation) require_more(take(4, head_));
  length = number_in(head_);
  return true;
}

// Nothing may follow a stream. A file has its list of batches, which are those that were read.
void ArrowStream::finish() {
  std::string tail;
  for (; has_more(); block_ = {}) {
    if (!is_file_) throw FormatError("more follows after its end");
    tail += block_.substr(block_.size() - std::min(block_.size(), kFileMagic.size()));
    tail.erase(0, tail.size() - std::min(tail.size(), kFileMagic.size()));
  }
  require_more(!is_file_ || tail == kFileMagic);
}

std::string_view ArrowStream::body() {
  if (const std::uint64_t bytes = std::exchange(unread_, 0); bytes != 0) require_more(take(bytes, body_));
  return body_;
}

void ArrowStream::skip_body() {
  if (file_.empty() || unread_ <= block_.size()) return static_cast<void>(body());
  byte_ += std::exchange(unread_, 0);
  block_ = {};
  bytes_ = std::make_unique<FileStream>(file_, byte_);
}

bool ArrowStream::next() {
  skip_body();
  std::uint64_t length = 0;
  const bool has_length = read_length(length);
  require_more(has_length || (!is_file_ && header_));
  if (!has_length || length == 0) {
    if (has_length) finish();
    return false;
  }
  if (length > kMaxMessage) throw FormatError("its metadata is said to have " + std::to_string(length) + " bytes");
  require_more(take(length, metadata_));
  const FlatTable message = FlatTable::root_of(metadata_);
  const bool is_first = !header_;
  kind_ = message.number(1, 1);
  header_ = message.table(2);
  unread_ = message.number(3, 8);
  body_.clear();
  require_size("a batch", unread_, max_bytes_);
  if (!header_ || is_first != (kind_ == kSchema)) throw FormatError("it does not begin with its only schema");
  batches_ += kind_ == kBatch ? 1 : 0;
  return true;
}

}  // namespace bertprep
