#include "source/formats/column_source.h"

#include <cstring>
#include <limits>

#include "source/columns/arrow_stream.h"
#include "source/columns/column_reader.h"
#include "source/formats/text_fields.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr std::uint64_t kLeastPageLimit = std::uint64_t{128} << 20;
constexpr std::uint64_t kPageTimes = 4;
constexpr std::size_t kShownBytes = std::size_t{1} << 16;

std::string_view text_of(std::span<const ColumnValue> values, std::optional<std::size_t> place) {
  return place ? values[*place].value_or("") : std::string_view();
}

constexpr std::uint64_t kNull = ~std::uint64_t{0};

std::optional<std::string> fault_of(std::string_view value, std::string_view name) {
  const auto fault = find_invalid_utf8(value);
  if (!fault) return std::nullopt;
  return "invalid UTF-8 at byte " + std::to_string(*fault) + " of field " + quoted_key(name);
}

// Appends a field of a row to its record; nothing: null.
void append_field(std::string& record, std::optional<std::string_view> field) {
  const std::uint64_t length = field ? field->size() : kNull;
  record.append(reinterpret_cast<const char*>(&length), sizeof length);
  if (field) record += *field;
}

// A record is the fields that `text_field` names, in this order, or the one that has the whole of it as its name. Title
// and origin, too, must be UTF-8.
class ColumnsWorker final : public RecordWorker {
 public:
  explicit ColumnsWorker(const RecordFields& fields) : names_(text_fields_of(fields.text_field)), html_(fields.html) {}

  std::optional<Rejection> finish(SourceDocument& document) override {
    auto rejection = RecordWorker::finish(document);
    if (rejection) {
      split(rejection->record);
      rejection->record = joined();
    }
    return rejection;
  }

 private:
  void split(std::string_view rest) {
    fields_.clear();
    while (!rest.empty()) {
      std::uint64_t length = 0;
      std::memcpy(&length, rest.data(), sizeof length);
      rest.remove_prefix(sizeof length);
      fields_.emplace_back();
      if (length == kNull) continue;
      fields_.back() = rest.substr(0, length);
      rest.remove_prefix(length);
    }
  }

  std::span<const std::string> names() const {
    const std::span<const std::string> all(names_);
    return all.size() > 1 && fields_.size() == all.size() - 1 ? all.subspan(1) : all.first(1);
  }

  std::optional<std::string> read(const std::string& record, SourceDocument& document) override {
    split(record);
    JoinedText text(document, html_);
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (!fields_[i]) continue;
      if (auto fault = fault_of(*fields_[i], names()[i])) return fault;
      if (auto rejection = text.add(*fields_[i])) return rejection;
    }
    if (text.is_empty()) return why_empty();
    const Origin& origin = document.origin;
    if (auto fault = fault_of(document.title, "title")) return fault;
    if (auto fault = fault_of(origin.page_id, "id")) return fault;
    if (auto fault = fault_of(origin.url, "url")) return fault;
    return fault_of(origin.timestamp, "timestamp");
  }

  std::string why_empty() const {
    if (fields_.size() == 1)
      return "field " + quoted_key(names().front()) + (fields_.front() ? " is empty" : " is null");
    return "none of the fields " + listed_keys(names()) + " has text";
  }

  std::string joined() const {
    std::string all;
    for (const auto& field : fields_) append_part(field.value_or(""), kParagraphBreak, all);
    return all;
  }

  std::vector<std::string> names_;
  HtmlFields html_;
  std::vector<std::optional<std::string_view>> fields_;
};

bool begins_in(const RowGroup& group, const StoredFile& part) {
  return part.end == 0 || (group.begin() >= part.begin && group.begin() < part.end);
}

// Each row of a Parquet file. Reads the columns of the text and of its origin alone; of a part of a file, the row
// groups that begin there.
class ParquetSource final : public DeferredSource {
 public:
  ParquetSource(TextInput input, ColumnOptions options) : input_(std::move(input)), options_(std::move(options)) {
    const StoredFile& stored = stored_file_of(input_, "Parquet");
    input_.bytes.reset();
    const std::filesystem::path& path = stored.path;
    const ParquetMetadata file = read_parquet_metadata(path);
    std::size_t first_group = 0;
    for (std::size_t i = 0; i < file.groups.size(); ++i) {
      if (!begins_in(file.groups[i], stored)) continue;
      if (groups_.empty()) first_group = i;
      groups_.push_back(file.groups[i]);
    }
    columns_ = RowColumns(file.schema, options_.text_field, input_.name);
    const ColumnFile common{
        .path = path,
        .runner = options_.reading.runner,
        .max_page_bytes = options_.max_page_bytes(),
        .expansion = std::make_shared<Expansion>(path, std::filesystem::file_size(path), options_.max_expansion)};
    for (const SchemaNode& column : columns_.columns()) {
      readers_.push_back(std::make_unique<ColumnReader>(common, column, groups_, first_group));
    }
    values_.resize(readers_.size());
    if (!groups_.empty()) row_ = groups_.front().first_row;
  }

  bool read(SourceDocument& document) override {
    while (group_ < groups_.size()) {
      const RowGroup& group = groups_[group_];
      if (row_ == group.first_row + group.rows) {
        ++group_;
        continue;
      }
      if (row_ == group.first_row) group_byte_ = group.begin();
      if (read_row(document)) return true;
    }
    return false;
  }

 private:
  bool read_row(SourceDocument& document) {
    for (std::size_t i = 0; i < readers_.size(); ++i) values_[i] = readers_[i]->next();
    document.origin.line = ++row_;
    document.origin.byte = group_byte_;
    if (ReadMeter* const meter = input_.stored->meter) meter->reach(readers_.front()->position());
    return columns_.take(values_, options_, document);
  }

  TextInput input_;
  ColumnOptions options_;
  std::vector<RowGroup> groups_;  // to read
  std::size_t group_ = 0;         // being read
  std::uint64_t group_byte_ = 0;  // where it begins
  std::uint64_t row_ = 0;         // the next, from 0
  RowColumns columns_;
  std::vector<std::unique_ptr<ColumnReader>> readers_;
  std::vector<ColumnValue> values_;  // of the row
};

constexpr std::size_t kMagicBytes = 4096;

// Each row of a file or stream of Arrow's IPC format; of a part of a file, the batches that begin there.
class ArrowSource final : public DeferredSource {
 public:
  // The schema and the dictionaries of a part may lie before it.
  ArrowSource(TextInput input, ColumnOptions options)
      : input_(std::move(input)), options_(std::move(options)), row_(input_.first_line - 1) {
    const bool is_part = input_.stored && input_.stored->end != 0;
    const std::filesystem::path path = is_part ? input_.stored->path : std::filesystem::path();
    if (is_part) input_.bytes = std::make_unique<FileStream>(path);
    stream_.emplace(std::move(input_.bytes), options_.max_page_bytes(), path);
  }

  bool read(SourceDocument& document) override try {
    do {
      while (row_in_batch_ == batch_.rows()) {
        if (has_ended_ || (has_ended_ = !read_message())) return false;
      }
      for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = batch_.value(i, row_in_batch_);
      ++row_in_batch_;
      document.origin.line = ++row_;
      document.origin.byte = stream_->byte();
    } while (!columns_.take(values_, options_, document));
    return true;
  } catch (const FormatError& error) {
    if (!error.where().empty()) throw;
    throw FormatError("batch " + std::to_string(stream_->batches()) + " can't be read: " + error.what(), input_.name,
                      "get the file again, or write it with another program");
  }

 private:
  // False at the end of the part.
  bool read_message() {
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

  void begin_batch() {
    row_in_batch_ = 0;
    batch_ = ArrowBatch(stream_->header(), body(), schema_.layout);
    for (const SchemaNode& column : columns_.columns()) batch_.add(column.column, dictionaries_);
  }

  // Those of other columns are not read.
  void add_dictionary() {
    const FlatTable& dictionary = stream_->header();
    const std::uint64_t id = dictionary.number(0, 8);
    const auto is_read = [&](const SchemaNode& column) {
      return schema_.layout.fields[column.column].dictionary == id;
    };
    if (std::ranges::none_of(columns_.columns(), is_read)) return;
    const auto values = dictionary.table(1);
    if (!values) throw FormatError("a dictionary has no values");
    ArrowBatch batch(*values, body(), schema_.dictionaries.at(id));
    batch.add(0);
    ColumnDictionary& known = dictionaries_[id];
    if (dictionary.number(2, 1) == 0) known = {};
    for (std::uint64_t row = 0; row < batch.rows(); ++row) known.add(batch.value(0, row), options_.max_page_bytes());
  }

  // A compressed batch may become as large as a batch may be, within the limit of expansion.
  ArrowBatch::Body body() {
    const std::string_view bytes = stream_->body();
    auto expansion = std::make_shared<Expansion>(input_.name, bytes.size(), options_.max_expansion);
    return {bytes, options_.max_page_bytes(), std::move(expansion), &unpacker_};
  }

  TextInput input_;
  ColumnOptions options_;
  std::optional<ArrowStream> stream_;
  bool has_ended_ = false;
  ArrowSchema schema_;
  ArrowDictionaries dictionaries_;
  PageUnpacker unpacker_;
  RowColumns columns_;
  ArrowBatch batch_;
  std::uint64_t row_in_batch_ = 0;
  std::uint64_t row_;
  std::vector<ColumnValue> values_;
};

template <class Source>
OpenText column_reader(const SourceOptions& options, const CorpusReading& reading) {
  return [columns = column_options(options, reading)](TextInput input) {
    return std::make_unique<Source>(std::move(input), columns);
  };
}

}  // namespace

ColumnOptions column_options(const SourceOptions& options, const CorpusReading& reading) {
  return {.text_field = options.text_field,
          .deferred = deferred_to<ColumnsWorker>(record_fields(options)),
          .reading = reading,
          .max_expansion = static_cast<std::uint64_t>(options.max_expansion)};
}

OpenText parquet_reader(const SourceOptions& options, const CorpusReading& reading) {
  return column_reader<ParquetSource>(options, reading);
}

OpenText arrow_reader(const SourceOptions& options, const CorpusReading& reading) {
  return column_reader<ArrowSource>(options, reading);
}

std::uint64_t ColumnOptions::max_page_bytes() const {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / kPageTimes;
  return std::max(kLeastPageLimit, std::min(reading.limit.bytes(), most) * kPageTimes);
}

RowColumns::RowColumns(const ColumnSchema& schema, const std::string& text_field, const std::string& file) try {
  find_text(schema, text_field);
  title_ = place_of_column(find_value_column(schema, "title", false));
  id_ = place_of_column(find_value_column(schema, "id", true));
  url_ = place_of_column(find_value_column(schema, "url", false));
  timestamp_ = place_of_column(find_value_column(schema, "timestamp", false));
} catch (const FormatError& error) {
  throw FormatError(error.what(), file, "name the column of the text with `text_field`");
}

// A column may be title and text.
RowColumns::Place RowColumns::place_of_column(const std::optional<SchemaNode>& column) {
  if (!column) return std::nullopt;
  const auto known = std::ranges::find(columns_, column->column, &SchemaNode::column);
  const auto place = static_cast<std::size_t>(known - columns_.begin());
  if (known == columns_.end()) columns_.push_back(*column);
  return place;
}

// As in JSON Lines and tables, a name with commas is looked up whole before its parts.
void RowColumns::find_text(const ColumnSchema& schema, const std::string& text_field) {
  const std::vector<std::string> fields = text_fields_of(text_field);
  if (const Place whole = place_of_column(find_text_column(schema, fields.front()))) {
    texts_.push_back(whole);
    return;
  }
  for (std::size_t i = 1; i < fields.size(); ++i)
    texts_.push_back(place_of_column(find_text_column(schema, fields[i])));
  if (!columns_.empty()) return;
  const std::span<const std::string> names = std::span(fields).subspan(fields.size() > 1 ? 1 : 0);
  throw FormatError((names.size() > 1 ? "none of the columns " + listed_keys(names) + " is there: "
                                      : "no column " + listed_keys(names) + ": ") +
                    names_beside(schema, names.front()));
}

bool RowColumns::take(std::span<const ColumnValue> values, const ColumnOptions& options,
                      SourceDocument& document) const {
  std::uint64_t bytes = 0;
  for (const Place text : texts_) bytes += text_of(values, text).size();
  if (!options.reading.limit.allows(bytes)) {
    options.reading.limit.reject(place_of(document.origin), bytes,
                                 text_of(values, texts_.front()).substr(0, kShownBytes));
    return false;
  }
  document.text.clear();
  for (const Place text : texts_) append_field(document.text, text ? values[*text] : std::nullopt);
  document.title = text_of(values, title_);
  document.origin.page_id = text_of(values, id_);
  document.origin.url = text_of(values, url_);
  document.origin.timestamp = text_of(values, timestamp_);
  document.deferred = options.deferred;
  return true;
}

std::vector<SplitPoint> split_parquet(const std::filesystem::path& file, std::uint64_t file_bytes,
                                      std::uint64_t pieces) {
  const ParquetMetadata metadata = read_parquet_metadata(file);
  const auto is_before = [](const RowGroup& left, const RowGroup& right) { return left.begin() < right.begin(); };
  if (!std::ranges::is_sorted(metadata.groups, is_before)) return {};
  EvenSplit split(file_bytes, pieces);
  for (const RowGroup& group : metadata.groups) split.offer({group.begin(), group.first_row + 1});
  return split.points();
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
