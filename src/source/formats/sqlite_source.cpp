#include "source/formats/sqlite_source.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <new>
#include <system_error>

#include "io/loaded_library.h"
#include "source/formats/column_source.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

struct SqliteLibrary {
  LoadedLibrary library{BERTPREP_SQLITE_NAME, BERTPREP_SQLITE_FILE};
  decltype(&::sqlite3_vfs_find) vfs_find = library["sqlite3_vfs_find"];
  decltype(&::sqlite3_vfs_register) vfs_register = library["sqlite3_vfs_register"];
  decltype(&::sqlite3_vfs_unregister) vfs_unregister = library["sqlite3_vfs_unregister"];
  decltype(&::sqlite3_open_v2) open = library["sqlite3_open_v2"];
  decltype(&::sqlite3_close) close = library["sqlite3_close"];
  decltype(&::sqlite3_errmsg) error_text = library["sqlite3_errmsg"];
  decltype(&::sqlite3_set_authorizer) set_authorizer = library["sqlite3_set_authorizer"];
  decltype(&::sqlite3_prepare_v2) prepare = library["sqlite3_prepare_v2"];
  decltype(&::sqlite3_finalize) finalize = library["sqlite3_finalize"];
  decltype(&::sqlite3_step) step = library["sqlite3_step"];
  decltype(&::sqlite3_column_count) column_count = library["sqlite3_column_count"];
  decltype(&::sqlite3_column_name) column_name = library["sqlite3_column_name"];
  decltype(&::sqlite3_column_type) column_type = library["sqlite3_column_type"];
  decltype(&::sqlite3_column_text) column_text = library["sqlite3_column_text"];
  decltype(&::sqlite3_column_bytes) column_bytes = library["sqlite3_column_bytes"];
};

constexpr auto sqlite = loaded<SqliteLibrary>;

[[noreturn]] void fail(int code, sqlite3* database, const fs::path& file, const std::string& what) {
  if (code == SQLITE_NOMEM) throw std::bad_alloc();
  const std::string reason = what + ": " + sqlite().error_text(database);
  if (code == SQLITE_FULL) throw IoError(reason, file, "make room for temporary files, or set SQLITE_TMPDIR");
  if (code == SQLITE_IOERR || code == SQLITE_CANTOPEN) throw IoError(reason, file);
  throw FormatError(reason, file, "get the file again, or correct `query`");
}

// A journal that is done with is empty, or begins with zeros.
void refuse_changes_beside(const fs::path& file) {
  for (const char* ending : {"-wal", "-journal"}) {
    const std::string beside = file.native() + ending;
    if (std::ifstream bytes(beside, std::ios::binary); bytes.get() > 0) {
      throw FormatError("changes that are not in it yet are in " + beside, file,
                        R"(close the programs that use it, or copy it: sqlite3 FILE "vacuum into 'COPY'")");
    }
  }
}

template <class Time>
int tell_time(sqlite3_vfs* vfs, Time* time);

// The system's files, with a clock that remembers that it was read: by date('now'), which the authorizer can't tell
// from the date of a value. SQLite knows it by its first member and a name of its own.
struct SqliteClock {
  SqliteClock() : vfs(*sqlite().vfs_find(nullptr)), name("bertprep-" + std::to_string(std::uintptr_t(this))) {
    vfs.zName = name.c_str();
    vfs.xCurrentTime = tell_time<double>;
    if (vfs.iVersion >= 2) vfs.xCurrentTimeInt64 = tell_time<sqlite3_int64>;
    sqlite().vfs_register(&vfs, 0);
  }
  ~SqliteClock() { sqlite().vfs_unregister(&vfs); }
  SqliteClock(const SqliteClock&) = delete;
  SqliteClock& operator=(const SqliteClock&) = delete;

  sqlite3_vfs vfs;
  std::string name;
  bool was_read = false;
};

template <class Time>
int tell_time(sqlite3_vfs* vfs, Time* time) {
  reinterpret_cast<SqliteClock*>(vfs)->was_read = true;
  *time = 0;
  return SQLITE_OK;
}

constexpr const char* kChanging = "random numbers and the current time give other rows each time";

[[noreturn]] void refuse_query(const std::string& fault, const fs::path& file) {
  throw ConfigError("the query can't be run: " + fault, file, "correct `query`");
}

// Without `immutable`, SQLite makes files beside one with a write-ahead log.
std::shared_ptr<sqlite3> open_database(const fs::path& given, const SqliteClock& clock) {
  std::error_code error;
  const fs::path file = fs::canonical(given, error);
  if (error || !fs::is_regular_file(file)) throw FormatError("SQLite is not read from a pipe", given, "name the file");
  refuse_changes_beside(file);
  std::string uri = "file:";
  for (const char c : file.native()) {
    uri += c == '%' ? std::string("%25") : c == '?' ? "%3f" : c == '#' ? "%23" : std::string(1, c);
  }
  uri += "?immutable=1";
  sqlite3* handle = nullptr;
  const int code = sqlite().open(uri.c_str(), &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, clock.name.c_str());
  std::shared_ptr<sqlite3> database(handle, sqlite().close);
  if (code != SQLITE_OK) fail(code, handle, given, "it can't be opened");
  return database;
}

// Tells `fault`, which points to a text, what is wrong.
int allow(void* fault, int action, const char*, const char* function, const char*, const char*) {
  constexpr std::array<std::string_view, 2> kRandom = {"random", "randomblob"};
  if (action != SQLITE_FUNCTION || std::ranges::find(kRandom, function) == kRandom.end()) return SQLITE_OK;
  *static_cast<const char**>(fault) = kChanging;
  return SQLITE_DENY;
}

std::shared_ptr<sqlite3_stmt> prepare(sqlite3* database, const std::string& query, const fs::path& file) {
  const char* fault = nullptr;
  const char* rest = nullptr;
  sqlite3_stmt* handle = nullptr;
  sqlite().set_authorizer(database, allow, &fault);
  const int code = sqlite().prepare(database, query.c_str(), -1, &handle, &rest);
  std::shared_ptr<sqlite3_stmt> statement(handle, sqlite().finalize);
  sqlite().set_authorizer(database, nullptr, nullptr);
  if (code != SQLITE_OK && code != SQLITE_ERROR && code != SQLITE_AUTH) fail(code, database, file, "it can't be read");
  if (code != SQLITE_OK && fault == nullptr) fault = sqlite().error_text(database);
  if (fault == nullptr && sqlite().column_count(handle) == 0) fault = "it selects nothing";
  if (fault == nullptr && std::string_view(rest).find_first_not_of("; \t\r\n") != std::string_view::npos) {
    fault = "something follows its statement";
  }
  if (fault == nullptr) return statement;
  refuse_query(fault, file);
}

std::string_view column_text(sqlite3_stmt* rows, std::size_t column) {
  const int place = static_cast<int>(column);
  const auto* const text = reinterpret_cast<const char*>(sqlite().column_text(rows, place));
  return text == nullptr ? "" : std::string_view(text, static_cast<std::size_t>(sqlite().column_bytes(rows, place)));
}

std::vector<std::string> values_of(sqlite3* database, const std::string& query, const fs::path& file) {
  const auto rows = prepare(database, query, file);
  std::vector<std::string> values;
  int code = sqlite().step(rows.get());
  for (; code == SQLITE_ROW; code = sqlite().step(rows.get())) values.emplace_back(column_text(rows.get(), 0));
  if (code != SQLITE_DONE) fail(code, database, file, "it can't be read");
  return values;
}

// Whatever its name, an only column is the text. The types are those of the values.
ColumnSchema schema_of(sqlite3_stmt* rows, const std::string& text_field) {
  const auto count = static_cast<std::size_t>(sqlite().column_count(rows));
  ColumnSchema schema{{.name = "the query", .end = count + 1}};
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = count == 1 ? text_field : sqlite().column_name(rows, static_cast<int>(i));
    schema.push_back({.name = name, .type = ColumnType::kText, .column = i, .end = i + 2});
  }
  return schema;
}

class SqliteSource final : public DeferredSource {
 public:
  // Of text in UTF-16, SQLite would make other characters where a half of a pair is missing.
  SqliteSource(TextInput input, const std::string& query, ColumnOptions options)
      : input_(std::move(input)), options_(std::move(options)) {
    const StoredFile& file = stored_file_of(input_, "SQLite");
    if (query.empty()) refuse_missing_query(file.path);
    clock_ = std::make_unique<SqliteClock>();
    database_ = open_database(file.path, *clock_);
    if (values_of(database_.get(), "select encoding from pragma_encoding", file.path) !=
        std::vector<std::string>{"UTF-8"}) {
      throw FormatError("its text is in UTF-16", input_.name, "copy it: sqlite3 FILE .dump | sqlite3 COPY");
    }
    rows_ = prepare(database_.get(), query, file.path);
    columns_ = RowColumns(schema_of(rows_.get(), options_.text_field), options_.text_field, input_.name);
    values_.resize(columns_.columns().size());
  }

  bool read(SourceDocument& document) override {
    for (;;) {
      const int code = sqlite().step(rows_.get());
      if (clock_->was_read) refuse_query(kChanging, input_.name);
      if (code == SQLITE_DONE) return false;
      ++row_;
      if (code != SQLITE_ROW) {
        fail(code, database_.get(), input_.name, "row " + std::to_string(row_) + " can't be read");
      }
      if (take_row(document)) return true;
    }
  }

 private:
  // As in JSON Lines: a text must be a string, an id may be an integer, and other values count as missing.
  bool take_row(SourceDocument& document) {
    document.origin.line = row_;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const SchemaNode& column = columns_.columns()[i];
      const int type = sqlite().column_type(rows_.get(), static_cast<int>(column.column));
      const std::string_view value = column_text(rows_.get(), column.column);
      if (columns_.is_text(i) && type != SQLITE_TEXT && type != SQLITE_NULL) {
        options_.reading.rejects->add(place_of(document.origin),
                                      "field " + quoted_key(column.name) + " is not a string", value);
        return false;
      }
      const bool is_value = type == SQLITE_TEXT || (type == SQLITE_INTEGER && column.name == "id");
      values_[i] = is_value ? ColumnValue(value) : std::nullopt;
    }
    return columns_.take(values_, options_, document);
  }

  TextInput input_;
  ColumnOptions options_;
  std::unique_ptr<SqliteClock> clock_;  // of the database
  std::shared_ptr<sqlite3> database_;
  std::shared_ptr<sqlite3_stmt> rows_;  // of the database: ends first
  std::uint64_t row_ = 0;
  RowColumns columns_;
  std::vector<ColumnValue> values_;  // of the row
};

}  // namespace

OpenText sqlite_reader(const SourceOptions& options, const CorpusReading& reading) {
  return [columns = column_options(options, reading), query = options.query](TextInput input) {
    return std::make_unique<SqliteSource>(std::move(input), query, columns);
  };
}

void refuse_missing_query(const fs::path& file) {
  const SqliteClock clock;
  const auto tables = values_of(open_database(file, clock).get(),
                                "select name from sqlite_master where type in ('table', 'view') and "
                                "name not like 'sqlite~_%' escape '~' order by rowid",
                                file);
  throw ConfigError(
      "this is an SQLite database, " + (tables.empty() ? "without tables" : "with " + listed_keys(tables)), file,
      "say which rows are articles: `query` 'select id, title, body as text from pages order by id'");
}

}  // namespace bertprep
