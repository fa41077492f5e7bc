#include "source/columns/column_schema.h"

#include "bertprep/base/error.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr std::size_t kRoot = 0;

template <class Visit>
void each_child(const ColumnSchema& schema, std::size_t node, const Visit& visit) {
  for (std::size_t child = node + 1; child < schema[node].end; child = schema[child].end) visit(child);
}

std::optional<std::size_t> child_of(const ColumnSchema& schema, std::size_t node, std::string_view name) {
  std::optional<std::size_t> found;
  each_child(schema, node, [&](std::size_t child) {
    if (schema[child].name != name) return;
    if (found) throw FormatError("two columns are named " + quoted_key(name));
    found = child;
  });
  return found;
}

std::optional<std::size_t> find(const ColumnSchema& schema, std::size_t node, std::string_view path) {
  for (;;) {
    if (const auto whole = child_of(schema, node, path)) return whole;
    const std::size_t dot = path.find('.');
    const auto group = dot == std::string_view::npos ? std::nullopt : child_of(schema, node, path.substr(0, dot));
    if (!group) return std::nullopt;
    node = *group;
    path.remove_prefix(dot + 1);
  }
}

std::string names_in(const ColumnSchema& schema, std::size_t node) {
  std::vector<std::string_view> names;
  each_child(schema, node, [&](std::size_t child) { names.push_back(schema[child].name); });
  return names.empty() ? " has no columns" : " has " + listed_keys(names);
}

// Lists and maps are groups that hold a repeated group.
bool holds_lists(const ColumnSchema& schema, std::size_t node) {
  bool holds = schema[node].is_repeated;
  each_child(schema, node, [&](std::size_t child) { holds = holds || schema[child].is_repeated; });
  return holds;
}

}  // namespace

std::optional<SchemaNode> find_text_column(const ColumnSchema& schema, std::string_view path) {
  const auto found = find(schema, kRoot, path);
  if (!found) return std::nullopt;
  SchemaNode node = schema[*found];
  const std::string name = "column " + quoted_key(path);
  if (holds_lists(schema, *found)) throw FormatError(name + " is a list: a row may have several values");
  if (node.type == ColumnType::kGroup) throw FormatError(name + " is a group: it" + names_in(schema, *found));
  if (node.type != ColumnType::kText) throw FormatError(name + " is not a string");
  node.name = path;
  return node;
}

std::optional<SchemaNode> find_value_column(const ColumnSchema& schema, std::string_view name, bool may_be_number) {
  const auto found = child_of(schema, kRoot, name);
  if (!found || schema[*found].is_repeated) return std::nullopt;
  const ColumnType type = schema[*found].type;
  const bool is_number = type != ColumnType::kGroup && type != ColumnType::kText && type != ColumnType::kOther;
  if (type != ColumnType::kText && !(may_be_number && is_number)) return std::nullopt;
  return schema[*found];
}

std::string names_beside(const ColumnSchema& schema, std::string_view path) {
  std::string where = schema[kRoot].name.empty() ? "the file" : schema[kRoot].name;
  std::size_t node = kRoot;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
    const auto group = child_of(schema, node, path.substr(0, dot));
    if (!group || schema[*group].type != ColumnType::kGroup) break;
    where = quoted_key(path.substr(0, dot));
    node = *group;
    path.remove_prefix(dot + 1);
  }
  return where + names_in(schema, node);
}

}  // namespace bertprep
