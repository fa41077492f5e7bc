#include "source/formats/table_record.h"

#include <algorithm>
#include <span>
#include <utility>

#include "bertprep/base/error.h"
#include "source/formats/text_fields.h"
#include "unicode/code_points.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

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

std::string list_of(std::span<const std::string> names) {
  return listed_keys(std::vector<std::string_view>(names.begin(), names.end()));
}

class TableWorker final : public DeferredWork::Worker {
 public:
  TableWorker(TableColumns columns, char separator, HtmlHandling html)
      : columns_(std::move(columns)), separator_(separator), html_(html) {}

  std::optional<Rejection> finish(SourceDocument& document) override {
    document.deferred.reset();
    record_.swap(document.text);
    const auto reason = read(document);
    if (!reason) return std::nullopt;
    return Rejection{place_of(document.origin), *reason, record_};
  }

 private:
  std::optional<std::string> read(SourceDocument& document) {
    if (const auto fault = find_invalid_utf8(record_)) {
      return "invalid UTF-8 at byte " + std::to_string(document.origin.byte + *fault);
    }
    if (const auto fault = split_table_record(record_, separator_, fields_)) return fault;
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
    return "none of the fields " + list_of(columns_.names) + " has text";
  }

  void take(std::optional<std::size_t> column, std::string& value) const {
    if (column) value = fields_[*column];
  }

  TableColumns columns_;
  char separator_;
  HtmlFields html_;
  std::string record_;
  std::vector<std::string> fields_;
};

class DeferredTable final : public DeferredWork {
 public:
  DeferredTable(TableColumns columns, char separator, HtmlHandling html)
      : columns_(std::move(columns)), separator_(separator), html_(html) {}

  std::unique_ptr<Worker> make_worker() const override {
    return std::make_unique<TableWorker>(columns_, separator_, html_);
  }

 private:
  TableColumns columns_;
  char separator_;
  HtmlHandling html_;
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
    fail((columns.is_single ? "no column " : "none of the columns ") + list_of(wanted) +
             (columns.is_single ? "" : " is there") + ": the header has " + list_of(names),
         name, hint_for(names, wanted));
  }
  columns.title = column_of(names, "title");
  columns.id = column_of(names, "id");
  columns.url = column_of(names, "url");
  columns.timestamp = column_of(names, "timestamp");
  return columns;
}

std::shared_ptr<const DeferredWork> DeferredTables::of(const std::string& header, char separator,
                                                       const std::string& name) {
  if (last_ == nullptr || header != header_ || separator != separator_) {
    last_ = std::make_shared<DeferredTable>(table_columns(header, separator, fields_.text_field, name), separator,
                                            fields_.html);
    header_ = header;
    separator_ = separator;
  }
  return last_;
}

}  // namespace bertprep
