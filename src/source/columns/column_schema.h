// The columns of a Parquet or Arrow file: a tree of groups, whose leaves hold values.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bertprep {

// What the values of a column are to us.
enum class ColumnType { kGroup, kText, kInt32, kInt64, kUint32, kUint64, kOther };

struct SchemaNode {
  std::string name{};
  ColumnType type = ColumnType::kGroup;
  bool is_repeated = false;  // it, or what it is in, may have several values a row
  unsigned levels = 0;       // how many of it and what it is in may be null
  std::size_t column = 0;    // of a leaf: its number, as its file counts
  std::size_t end = 0;       // index of the next node that is not in this one
};

// In the order of the file, each group before what it holds; the first node is the root, whose name, if it has one, is
// for messages.
using ColumnSchema = std::vector<SchemaNode>;

// The column of strings that `path` names: "a.b" is column b of group a, unless there is a column "a.b". Nothing if
// there is none. Its name is then the path. Throws FormatError that names no place: it is a list, a group, has no
// strings, or is there twice.
std::optional<SchemaNode> find_text_column(const ColumnSchema& schema, std::string_view path);

// The column of this name outside of groups, if it has one string or, if `may_be_number`, one integer a row.
std::optional<SchemaNode> find_value_column(const ColumnSchema& schema, std::string_view name, bool may_be_number);

// The names outside of groups, or in the innermost group on `path` that is there: `the file has "id", "title"`.
std::string names_beside(const ColumnSchema& schema, std::string_view path);

}  // namespace bertprep
