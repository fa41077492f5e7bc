#include "source/formats/arrow_source.h"

#include <algorithm>
#include <utility>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr std::string_view kFileMagic = "ARROW1";
constexpr std::string_view kContinuation = "\xFF\xFF\xFF\xFF";
constexpr std::uint64_t kMaxMetadata = std::uint64_t{64} << 20;
constexpr std::uint64_t kLeastExpansion = std::uint64_t{64} << 20;
constexpr const char* kEndsEarly = "it ends early";

enum Header : std::uint64_t { kSchema = 1, kDictionary = 2, kBatch = 3 };

std::string too_large(const std::string& what, std::uint64_t bytes, std::uint64_t limit) {
  return what + " of " + std::to_string(bytes) + " bytes is larger than " + std::to_string(limit) +
         ", which `memory` and `max_article` allow";
}

}  // namespace

bool begins_as_arrow(std::string_view head) {
  if (head.starts_with(kFileMagic)) return true;
  if (!head.starts_with(kContinuation) || head.size() < 16) return false;
  try {
    return FlatTable::root_of(head.substr(8)).number(1, 1) == kSchema;
  } catch (const FormatError&) {
    return false;
  }
}

ArrowSource::ArrowSource(TextInput input, ColumnOptions options)
    : input_(std::move(input)), options_(std::move(options)) {}

// False at the end. Memory grows with the bytes that are there, not with those that are said to be.
bool ArrowSource::take(std::uint64_t count, std::string& bytes) {
  for (bytes.clear(); bytes.size() < count;) {
    if (block_.empty()) block_ = input_.bytes->next_block();
    if (block_.empty() && bytes.empty()) return false;
    if (block_.empty()) throw FormatError(kEndsEarly);
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(count - bytes.size(), block_.size()));
    bytes += block_.substr(0, size);
    block_.remove_prefix(size);
    byte_ += size;
  }
  return true;
}

// False at the end of the bytes. Old writers give the length at once.
bool ArrowSource::read_length(std::uint64_t& length) {
  const bool is_first = byte_ == 0;
  message_byte_ = byte_;
  if (!take(4, head_)) return false;
  if (is_first && kFileMagic.starts_with(head_)) {
    is_file_ = true;
    if (!take(4, head_)) throw FormatError(kEndsEarly);
    return read_length(length);
  }
  if (head_ == kContinuation && !take(4, head_)) throw FormatError(kEndsEarly);
  length = FlatTable::number_at(head_, 0, 4);
  return true;
}

// Nothing may follow a stream. A file has its list of batches, which are those that were read.
void ArrowSource::finish() {
  std::string tail;
  while (!block_.empty() || !(block_ = input_.bytes->next_block()).empty()) {
    if (!is_file_) throw FormatError("more follows after its end");
    tail += block_.substr(block_.size() - std::min(block_.size(), kFileMagic.size()));
    tail.erase(0, tail.size() - std::min(tail.size(), kFileMagic.size()));
    block_ = {};
  }
  if (is_file_ && tail != kFileMagic) throw FormatError(kEndsEarly);
}

// A compressed batch may become as large as a batch may be, within the limit of expansion.
ArrowBatch::Body ArrowSource::body() {
  const std::uint64_t most = options_.max_page_bytes();
  const std::uint64_t times = std::min(options_.max_expansion, most / std::max<std::uint64_t>(1, body_.size()));
  return {body_, std::min(most, std::max(kLeastExpansion, body_.size() * times)), &unpacker_};
}

void ArrowSource::begin_batch(const FlatTable& batch) {
  ++batches_;
  row_in_batch_ = 0;
  batch_ = ArrowBatch(batch, body(), schema_);
  for (const SchemaColumn& column : columns_.columns()) {
    const auto id = schema_.fields[column.index].dictionary;
    const auto known = id ? dictionaries_.find(*id) : dictionaries_.end();
    batch_.add(schema_.fields, column.index, known == dictionaries_.end() ? nullptr : &known->second);
  }
}

// Those of other columns are not read.
void ArrowSource::add_dictionary(const FlatTable& dictionary) {
  const std::uint64_t id = dictionary.number(0, 8);
  const auto is_read = [&](const SchemaColumn& column) { return schema_.fields[column.index].dictionary == id; };
  if (std::ranges::none_of(columns_.columns(), is_read)) return;
  const ArrowField& field = schema_.dictionaries.at(id);
  const ArrowSchema layout{.columns = {},
                           .fields = {field},
                           .dictionaries = {},
                           .nodes = 1,
                           .buffers = field.is_view ? std::size_t{2} : 3,
                           .views = field.is_view ? std::size_t{1} : 0};
  const auto values = dictionary.table(1);
  if (!values) throw FormatError("a dictionary has no values");
  ArrowBatch batch(*values, body(), layout);
  batch.add(layout.fields, 0);
  ArrowDictionary& known = dictionaries_[id];
  if (dictionary.number(2, 1) == 0) known = {};
  for (std::uint64_t row = 0; row < batch.rows(); ++row) {
    known.add(batch.value(0, row));
    if (known.bytes() > options_.max_page_bytes())
      throw FormatError(too_large("a dictionary", known.bytes(), options_.max_page_bytes()));
  }
}

// False at the end.
bool ArrowSource::read_message() {
  std::uint64_t length = 0;
  const bool has_length = read_length(length);
  if (!has_length && (is_file_ || !has_schema_)) throw FormatError(kEndsEarly);
  if (!has_length || length == 0) {
    if (has_length) finish();
    return false;
  }
  if (length > kMaxMetadata) throw FormatError("its metadata is said to have " + std::to_string(length) + " bytes");
  if (!take(length, metadata_)) throw FormatError(kEndsEarly);
  const FlatTable message = FlatTable::root_of(metadata_);
  const std::uint64_t bytes = message.number(3, 8);
  if (bytes > options_.max_page_bytes()) throw FormatError(too_large("a batch", bytes, options_.max_page_bytes()));
  if (!take(bytes, body_)) throw FormatError(kEndsEarly);
  const auto header = message.table(2);
  const std::uint64_t kind = message.number(1, 1);
  if (!header || has_schema_ == (kind == kSchema)) throw FormatError("it does not begin with its only schema");
  if (kind == kBatch) begin_batch(*header);
  if (kind == kDictionary) add_dictionary(*header);
  if (kind != kSchema) return true;
  schema_ = parse_arrow_schema(*header);
  columns_ = RowColumns(schema_.columns, options_.text_field, input_.name);
  values_.resize(columns_.columns().size());
  return has_schema_ = true;
}

bool ArrowSource::next(Document& document) try {
  do {
    while (row_in_batch_ == batch_.rows()) {
      if (has_ended_ || (has_ended_ = !read_message())) return false;
    }
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = batch_.value(i, row_in_batch_);
    ++row_in_batch_;
    document.origin.source = input_.name;
    document.origin.line = ++row_;
    document.origin.byte = message_byte_;
  } while (!columns_.take(values_, options_, document));
  return true;
} catch (const FormatError& error) {
  if (!error.where().empty()) throw;
  throw FormatError("batch " + std::to_string(batches_) + " can't be read: " + error.what(), input_.name,
                    "get the file again, or write it with another program");
}

}  // namespace bertprep
