// A record of a table: its fields, and the document in them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/formats/text_fields.h"
#include "source/input/deferred_work.h"

namespace bertprep {

// Overwrites `fields` with those of a record from TableRecords, removing quotes and undoubling doubled ones. For a
// broken quote, returns what is wrong; `fields` are then unspecified.
std::optional<std::string> split_table_record(std::string_view record, char separator,
                                              std::vector<std::string>& fields);

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
                           const std::string& name);

// DeferredTables: one object for all tables of a corpus; tables with equal headers share their work.
class DeferredTables {
 public:
  explicit DeferredTables(RecordFields fields) : fields_(std::move(fields)) {}

  // What finishes documents whose text is a record, with origin.line and origin.byte set. Throws as table_columns.
  std::shared_ptr<const DeferredWork> of(const std::string& header, char separator, const std::string& name);

 private:
  RecordFields fields_;
  std::string header_;
  char separator_ = ',';
  std::shared_ptr<const DeferredWork> last_;
};

}  // namespace bertprep
