#include "source/formats/arrow_source.h"

#include <algorithm>
#include <utility>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr std::size_t kMagicBytes = 4096;

}  // namespace

// The schema and the dictionaries of a part may lie before it.
ArrowSource::ArrowSource(TextInput input, ColumnOptions options)
    : input_(std::move(input)), options_(std::move(options)), row_(input_.first_line - 1) {
  const bool is_part = input_.stored && input_.stored->end != 0;
  const std::filesystem::path path = is_part ? input_.stored->path : std::filesystem::path();
  if (is_part) input_.bytes = std::make_unique<FileStream>(path);
  stream_.emplace(std::move(input_.bytes), options_.max_page_bytes(), path);
}

// A compressed batch may become as large as a batch may be, within the limit of expansion.
ArrowBatch::Body ArrowSource::body() {
  const std::string_view bytes = stream_->body();
  auto expansion = std::make_shared<Expansion>(input_.name, bytes.size(), options_.max_expansion);
  return {bytes, options_.max_page_bytes(), std::move(expansion), &unpacker_};
}

void ArrowSource::begin_batch() {
  row_in_batch_ = 0;
  batch_ = ArrowBatch(stream_->header(), body(), schema_.layout);
  for (const SchemaColumn& column : columns_.columns()) batch_.add(column.index, dictionaries_);
}

// Those of other columns are not read.
void ArrowSource::add_dictionary() {
  const FlatTable& dictionary = stream_->header();
  const std::uint64_t id = dictionary.number(0, 8);
  const auto is_read = [&](const SchemaColumn& column) { return schema_.layout.fields[column.index].dictionary == id; };
  if (std::ranges::none_of(columns_.columns(), is_read)) return;
  const auto values = dictionary.table(1);
  if (!values) throw FormatError("a dictionary has no values");
  ArrowBatch batch(*values, body(), schema_.dictionaries.at(id));
  batch.add(0);
  ColumnDictionary& known = dictionaries_[id];
  if (dictionary.number(2, 1) == 0) known = {};
  for (std::uint64_t row = 0; row < batch.rows(); ++row) known.add(batch.value(0, row), options_.max_page_bytes());
}

// False at the end of the part.
bool ArrowSource::read_message() {
  if (!stream_->next()) return false;
  if (stream_->kind() == ArrowStream::kDictionary) add_dictionary();
  if (stream_->kind() == ArrowStream::kSchema) {
    schema_ = parse_arrow_schema(stream_->header());
    columns_ = RowColumns(schema_.columns, options_.text_field, input_.name);
    values_.resize(columns_.columns().size());
  }
  if (stream_->kind() != ArrowStream::kBatch) return true;
  const StoredFile part = input_.stored.value_or(StoredFile{});
  if (part.end != 0 && stream_->byte() >= part.end) return false;
  if (stream_->byte() >= part.begin) begin_batch();
  return true;
}

bool ArrowSource::read(SourceDocument& document) try {
  do {
    while (row_in_batch_ == batch_.rows()) {
      if (has_ended_ || (has_ended_ = !read_message())) return false;
    }
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = batch_.value(i, row_in_batch_);
    ++row_in_batch_;
    document.origin.source = input_.name;
    document.origin.line = ++row_;
    document.origin.byte = stream_->byte();
  } while (!columns_.take(values_, options_, document));
  return true;
} catch (const FormatError& error) {
  if (!error.where().empty()) throw;
  throw FormatError("batch " + std::to_string(stream_->batches()) + " can't be read: " + error.what(), input_.name,
                    "get the file again, or write it with another program");
}

std::vector<SplitPoint> split_arrow(const std::filesystem::path& file, std::uint64_t file_bytes, std::uint64_t pieces) {
  auto bytes = std::make_unique<PeekedStream>(std::make_unique<FileStream>(file));
  if (!begins_as_arrow(bytes->peek(kMagicBytes))) return {};
  ArrowStream stream(std::move(bytes), file_bytes, file);
  EvenSplit split(file_bytes, pieces);
  std::uint64_t row = 1;
  try {
    while (!split.is_done() && stream.next()) {
      if (stream.kind() != ArrowStream::kBatch) continue;
      split.offer({stream.byte(), row});
      row += stream.header().number(0, 8);
    }
  } catch (const FormatError&) {
    // Who reads the piece that is damaged says so.
  }
  return split.points();
}

}  // namespace bertprep
