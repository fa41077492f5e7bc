#include "source/formats/table_source.h"

#include <algorithm>

#include "source/formats/text_fields.h"
#include "unicode/ascii.h"
#include "unicode/code_points.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

void drop_line_end(std::string& record) {
  if (record.ends_with('\n')) record.pop_back();
  if (record.ends_with('\r')) record.pop_back();
}

// TableScan: finds the end of a record without splitting it.
class TableScan {
 public:
  explicit TableScan(char separator) : separator_(separator) {}

  // Takes bytes of one record, from its first on, and returns how many of them belong to it, with its line feed: all of
  // them unless the record is complete or broken.
  std::size_t take(std::string_view bytes) {
    std::size_t at = 0;
    std::size_t line_end = std::string_view::npos;  // of the current line
    while (at < bytes.size() && state_ != State::kOver && state_ != State::kBroken) {
      switch (state_) {
        case State::kField:
          state_ = bytes[at] == '"' ? State::kQuoted : State::kPlain;
          if (state_ == State::kQuoted) ++at;
          break;
        case State::kPlain:
          at = take_plain(bytes, at, line_end);
          break;
        case State::kQuoted: {
          const std::size_t quote = bytes.find('"', at);
          if (quote == std::string_view::npos) return bytes.size();
          state_ = State::kQuote;
          at = quote + 1;
          break;
        }
        case State::kReturn:
          state_ = bytes[at] == '\n' ? State::kOver : State::kBroken;
          if (state_ == State::kOver) ++at;
          break;
        default:
          state_ = after_quote(bytes[at]);
          if (state_ != State::kBroken) ++at;
      }
    }
    return at;
  }

  bool is_over() const { return state_ == State::kOver; }
  // A quote that ends a field is followed by other text.
  bool is_broken() const { return state_ == State::kBroken; }
  bool is_in_quotes() const { return state_ == State::kQuoted; }

 private:
  enum class State { kField, kPlain, kQuoted, kQuote, kReturn, kOver, kBroken };

  // A quote opens a field only where one begins.
  std::size_t take_plain(std::string_view bytes, std::size_t at, std::size_t& line_end) {
    if (line_end < at || line_end > bytes.size()) line_end = std::min(bytes.find('\n', at), bytes.size());
    const std::string_view rest = bytes.substr(at, line_end - at);
    const std::size_t quote = rest.find('"');
    if (quote != std::string_view::npos) {
      state_ = quote != 0 && rest[quote - 1] == separator_ ? State::kQuoted : State::kPlain;
      return at + quote + 1;
    }
    if (line_end != bytes.size()) {
      state_ = State::kOver;
      return line_end + 1;
    }
    state_ = rest.ends_with(separator_) ? State::kField : State::kPlain;
    return line_end;
  }

  State after_quote(char c) const {
    if (c == '"') return State::kQuoted;
    if (c == separator_) return State::kField;
    if (c == '\n') return State::kOver;
    return c == '\r' ? State::kReturn : State::kBroken;
  }

  State state_ = State::kField;
  char separator_;
};

// TableRecords: the records of a table as text, by the grammar of RFC 4180. A field that begins with a quote ends with
// the next one that is not doubled; separators, line feeds and doubled quotes within it are text. In other fields, a
// quote is an ordinary character.
//
// A record whose quotes are broken ends with its first line, and reading continues with the next line: one bad record
// does not affect others, however late its fault shows.
class TableRecords final : public RecordCutter {
 public:
  // The stream begins at line `first_line` and byte `first_byte` of the file, with a record.
  TableRecords(std::string name, std::unique_ptr<ByteStream> bytes, char separator, std::uint64_t max_bytes,
               std::uint64_t first_line, std::uint64_t first_byte)
      : RecordCutter(std::move(name), max_bytes),
        bytes_(std::move(bytes)),
        separator_(separator),
        line_(first_line),
        byte_(first_byte) {}

  // Without its line end (LF or CRLF), and no blank one.
  bool next(std::string& record) override {
    while (take_record(record)) {
      if (is_truncated()) return true;
      drop_line_end(record);
      if (!record.empty()) return true;
    }
    return false;
  }

 private:
  bool fill() {
    if (front_.empty() && block_.empty()) {
      if (byte_ == 0) skip_byte_order_mark();
      if (block_.empty()) block_ = bytes_.next_block();
    }
    return !source().empty();
  }

  // Several blocks may hold its bytes.
  void skip_byte_order_mark() {
    if (!bytes_.peek(unicode::kByteOrderMark.size()).starts_with(unicode::kByteOrderMark)) return;
    while (byte_ < unicode::kByteOrderMark.size()) {
      block_ = bytes_.next_block();
      const std::size_t count = std::min<std::size_t>(unicode::kByteOrderMark.size() - byte_, block_.size());
      block_.remove_prefix(count);
      byte_ += count;
    }
  }

  std::string_view& source() { return front_.empty() ? block_ : front_; }

  // Takes `count` bytes of the record.
  void take(std::size_t count, std::string& record) {
    std::string_view& from = source();
    const std::string_view part = from.substr(0, count);
    add_to_record(part, record);
    byte_ += count;
    line_ += static_cast<std::uint64_t>(std::count(part.begin(), part.end(), '\n'));
    from.remove_prefix(count);
  }

  void take_rest_of_line(std::string& record) {
    while (fill()) {
      const std::size_t feed = source().find('\n');
      take(feed == std::string_view::npos ? source().size() : feed + 1, record);
      if (feed != std::string_view::npos) return;
    }
  }

  // False at the end.
  bool take_record(std::string& record) {
    record.clear();
    if (!fill()) return false;
    begin_record(line_, byte_, record);
    TableScan scan(separator_);
    while (!scan.is_over() && !scan.is_broken() && fill()) take(scan.take(source()), record);
    if (scan.is_broken() || scan.is_in_quotes()) recover(record);
    return true;
  }

  void recover(std::string& record) {
    if (!is_truncated() && record.find('\n') != std::string::npos) return put_back_after_first_line(record);
    const bool is_at_end = !fill();
    if (is_at_end && is_truncated()) {
      throw FormatError("a quote of this record is not closed up to the end of the file", place(),
                        "close it, or double the quotes within fields");
    }
    take_rest_of_line(record);
  }

  void put_back_after_first_line(std::string& record) {
    const std::size_t first_bytes = record.find('\n') + 1;
    const std::string_view rest = std::string_view(record).substr(first_bytes);
    byte_ -= rest.size();
    line_ -= static_cast<std::uint64_t>(std::count(rest.begin(), rest.end(), '\n'));
    if (front_.empty()) {
      put_back_ = rest;
      front_ = put_back_;
    } else {
      // The whole record was here.
      front_ = std::string_view(front_.data() - rest.size(), front_.size() + rest.size());
    }
    record.resize(first_bytes);
    set_record_bytes(first_bytes);
  }

  PeekedStream bytes_;
  char separator_;
  std::uint64_t line_;
  std::uint64_t byte_;
  std::string put_back_;    // lines after the first one of a broken record
  std::string_view front_;  // the rest of them
  std::string_view block_;  // the rest of the last block
};

// Judges a table by its first bytes: a semicolon if its first line has one and no comma, else a comma.
char csv_separator_of(std::string_view head) {
  head = unicode::without_byte_order_mark(head);
  head.remove_prefix(std::min(head.find_first_not_of(kAsciiBlanks), head.size()));
  bool is_quoted = false;
  bool has_semicolon = false;
  for (const char c : head) {
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (c == ',') return ',';
    if (c == '\n') break;
    has_semicolon = has_semicolon || c == ';';
  }
  return has_semicolon ? ';' : ',';
}

constexpr std::size_t kHeaderBytes = std::size_t{1} << 16;

char separator_of(InputFormat format, std::string_view head) {
  return format == InputFormat::kTsv ? '\t' : csv_separator_of(head);
}

// Begins after the opening quote, and moves `rest` after the closing one. False if there is none.
bool take_quoted(std::string_view& rest, std::string& field) {
  while (true) {
    const std::size_t quote = rest.find('"');
    if (quote == std::string_view::npos) return false;
    field += rest.substr(0, quote);
    rest.remove_prefix(quote + 1);
    if (!rest.starts_with('"')) return true;
    field += '"';
    rest.remove_prefix(1);
  }
}

constexpr const char* kHint = "name the column of the text with `text_field`";

[[noreturn]] void fail(const std::string& what, const std::string& name, const char* hint) {
  throw FormatError(what, name, hint);
}

std::optional<std::size_t> column_of(std::span<const std::string> header, std::string_view wanted) {
  const auto found = std::ranges::find(header, wanted);
  if (found == header.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header.begin());
}

void require_once(std::span<const std::string> header, std::string_view wanted, const std::string& name) {
  if (std::ranges::count(header, wanted) < 2) return;
  fail("two columns are named " + quoted_key(wanted), name, "give one of them another name");
}

// What may have hidden the column.
const char* hint_for(std::span<const std::string> names, std::span<const std::string> wanted) {
  const std::string& first = names.front();
  const auto is_wanted = [&](const std::string& name) {
    return std::ranges::find(wanted, std::string(strip(name))) != wanted.end();
  };
  if (std::ranges::any_of(names, is_wanted)) return "remove the blanks around the names of the columns";
  if (first.starts_with('#')) return "remove the comment before the line with the names of the columns";
  const bool has_other = names.size() == 1 && first.find_first_of("|;\t") != std::string::npos;
  if (has_other)
    return "separate the columns by commas, or by tabs in TSV (docs/formats/tables.md converts such files)";
  return kHint;
}

// TableColumns: which fields of a record make the document.
struct TableColumns {
  std::size_t count = 0;            // of all records
  std::vector<std::size_t> text{};  // in the order of joining
  std::optional<std::size_t> title{}, id{}, url{}, timestamp{};
  std::vector<std::string> names{};  // of `text`
  bool is_single = true;             // `text` was requested as one column, which must have text
};

// Finds the columns by the header, the first record of the file `name`. `text_field` as in SourceOptions: a name with
// commas is looked up whole before its parts. Throws FormatError: no such column, a duplicate name, a header that is
// broken or not UTF-8.
TableColumns table_columns(std::string_view header, char separator, const std::string& text_field,
                           const std::string& name) {
  std::vector<std::string> names;
  if (find_invalid_utf8(header)) fail("the names of the columns are not UTF-8", name, "convert the file: iconv");
  if (const auto fault = split_table_record(header, separator, names)) {
    fail("the names of the columns can't be read: " + *fault, name, "correct the first line");
  }
  const std::vector<std::string> fields = text_fields_of(text_field);
  TableColumns columns{.count = names.size()};
  columns.is_single = fields.size() == 1 || column_of(names, fields.front());
  const std::span<const std::string> wanted =
      columns.is_single ? std::span(fields).first(1) : std::span(fields).subspan(1);
  for (const std::string& one : wanted) {
    require_once(names, one, name);
    if (const auto column = column_of(names, one)) {
      columns.text.push_back(*column);
      columns.names.push_back(one);
    }
  }
  if (columns.text.empty()) {
    fail((columns.is_single ? "no column " : "none of the columns ") + listed_keys(wanted) +
             (columns.is_single ? "" : " is there") + ": the header has " + listed_keys(names),
         name, hint_for(names, wanted));
  }
  columns.title = column_of(names, "title");
  columns.id = column_of(names, "id");
  columns.url = column_of(names, "url");
  columns.timestamp = column_of(names, "timestamp");
  return columns;
}

class TableWorker final : public RecordWorker {
 public:
  TableWorker(TableColumns columns, char separator, HtmlHandling html)
      : columns_(std::move(columns)), separator_(separator), html_(html) {}

 private:
  std::optional<std::string> read(const std::string& record, SourceDocument& document) override {
    if (auto fault = fault_of_utf8(record, document)) return fault;
    if (auto fault = split_table_record(record, separator_, fields_)) return fault;
    if (fields_.size() != columns_.count) {
      return "wrong number of fields: " + std::to_string(fields_.size()) + ", the header has " +
             std::to_string(columns_.count);
    }
    if (auto fault = take_text(document)) return fault;
    take(columns_.title, document.title);
    take(columns_.id, document.origin.page_id);
    take(columns_.url, document.origin.url);
    take(columns_.timestamp, document.origin.timestamp);
    return std::nullopt;
  }

  std::optional<std::string> take_text(SourceDocument& document) {
    JoinedText joined(document, html_);
    for (const std::size_t column : columns_.text) {
      if (auto rejection = joined.add(fields_[column])) return rejection;
    }
    if (!document.text.empty()) return std::nullopt;
    if (columns_.is_single) return "field " + quoted_key(columns_.names.front()) + " is empty";
    return "none of the fields " + listed_keys(columns_.names) + " has text";
  }

  void take(std::optional<std::size_t> column, std::string& value) const {
    if (column) value = fields_[*column];
  }

  TableColumns columns_;
  char separator_;
  HtmlFields html_;
  std::vector<std::string> fields_;
};

// The work on all tables of a corpus; those with equal headers share it.
class DeferredTables {
 public:
  explicit DeferredTables(RecordFields fields) : fields_(std::move(fields)) {}

  // Throws as table_columns.
  std::shared_ptr<const DeferredWork> of(const TableHeader& header, const std::string& name) {
    if (last_ == nullptr || header.record != header_ || header.separator != separator_) {
      last_ = deferred_to<TableWorker>(table_columns(header.record, header.separator, fields_.text_field, name),
                                       header.separator, fields_.html);
      header_ = header.record;
      separator_ = header.separator;
    }
    return last_;
  }

 private:
  RecordFields fields_;
  std::string header_;
  char separator_ = ',';
  std::shared_ptr<const DeferredWork> last_;
};

}  // namespace

std::optional<std::string> split_table_record(std::string_view record, char separator,
                                              std::vector<std::string>& fields) {
  std::size_t count = 0;
  for (bool has_more = true; has_more;) {
    if (count == fields.size()) fields.emplace_back();
    std::string& field = fields[count++];
    field.clear();
    if (record.starts_with('"')) {
      record.remove_prefix(1);
      if (!take_quoted(record, field)) return "a quoted field has no end";
      if (!record.empty() && record.front() != separator) {
        const bool is_escaped = field.ends_with('\\');
        return is_escaped
                   ? "a quote is escaped by a backslash: CSV doubles it (docs/formats/tables.md converts such files)"
                   : "a quoted field continues after its quote";
      }
    } else {
      field = record.substr(0, record.find(separator));
      record.remove_prefix(field.size());
    }
    has_more = !record.empty();
    if (has_more) record.remove_prefix(1);
  }
  fields.resize(count);
  return std::nullopt;
}

std::unique_ptr<RecordCutter> table_records(std::string name, std::unique_ptr<ByteStream> bytes, char separator,
                                            std::uint64_t max_bytes, std::uint64_t first_line,
                                            std::uint64_t first_byte) {
  return std::make_unique<TableRecords>(std::move(name), std::move(bytes), separator, max_bytes, first_line,
                                        first_byte);
}

TableHeader read_table_header(InputFormat format, std::string name, std::unique_ptr<ByteStream> bytes,
                              std::uint64_t max_bytes) {
  auto peeked = std::make_unique<PeekedStream>(std::move(bytes));
  TableHeader header;
  header.separator = separator_of(format, peeked->peek(kHeaderBytes));
  header.records = table_records(name, std::move(peeked), header.separator, max_bytes);
  if (header.records->next(header.record) && header.records->is_truncated()) {
    throw FormatError("the first record, which names the columns, is too long", name + ":1",
                      "check that it is a table whose first line names its columns");
  }
  return header;
}

OpenText table_reader(InputFormat format, const SourceOptions& options, const CorpusReading& reading) {
  return [format, reading, tables = std::make_shared<DeferredTables>(record_fields(options))](TextInput input) {
    const std::uint64_t max_bytes = reading.limit.bytes();
    TableHeader header{input.head, separator_of(format, input.head)};
    if (input.first_byte == 0) {
      header = read_table_header(format, input.name, std::move(input.bytes), max_bytes);
    } else {
      header.records = table_records(input.name, std::move(input.bytes), header.separator, max_bytes, input.first_line,
                                     input.first_byte);
    }
    auto deferred = header.record.empty() ? nullptr : tables->of(header, input.name);
    return std::make_unique<RecordSource>(std::move(header.records), std::move(deferred), reading.limit);
  };
}

std::vector<SplitPoint> split_table(const std::filesystem::path& file, std::uint64_t file_bytes, std::uint64_t pieces,
                                    InputFormat format, std::uint64_t max_bytes) {
  EvenSplit split(file_bytes, pieces);
  if (split.is_done()) return {};
  const TableHeader table = read_table_header(format, file, std::make_unique<FileStream>(file), max_bytes);
  for (std::string record; !split.is_done() && table.records->next(record);) {
    split.offer({table.records->byte(), table.records->line()});
  }
  return split.points();
}

}  // namespace bertprep
