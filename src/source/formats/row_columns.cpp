#include "source/formats/row_columns.h"

#include <algorithm>
#include <limits>

#include "bertprep/base/error.h"
#include "source/formats/column_record.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr std::uint64_t kLeastPageLimit = std::uint64_t{128} << 20;
constexpr std::uint64_t kPageTimes = 4;
constexpr std::size_t kShownBytes = std::size_t{1} << 16;

std::string_view text_of(std::span<const ColumnValue> values, std::optional<std::size_t> place) {
  return place ? values[*place].value_or("") : std::string_view();
}

}  // namespace

std::uint64_t ColumnOptions::max_page_bytes() const {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / kPageTimes;
  return std::max(kLeastPageLimit, std::min(limit.bytes(), most) * kPageTimes);
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
RowColumns::Place RowColumns::place_of_column(const std::optional<SchemaColumn>& column) {
  if (!column) return std::nullopt;
  const auto known = std::ranges::find(columns_, column->index, &SchemaColumn::index);
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
  const std::vector<std::string_view> names(fields.begin() + (fields.size() > 1 ? 1 : 0), fields.end());
  throw FormatError((names.size() > 1 ? "none of the columns " + listed_keys(names) + " is there: "
                                      : "no column " + listed_keys(names) + ": ") +
                    names_beside(schema, names.front()));
}

bool RowColumns::take(std::span<const ColumnValue> values, const ColumnOptions& options,
                      SourceDocument& document) const {
  std::uint64_t bytes = 0;
  for (const Place text : texts_) bytes += text_of(values, text).size();
  if (!options.limit.allows(bytes)) {
    options.limit.reject(place_of(document.origin), bytes, text_of(values, texts_.front()).substr(0, kShownBytes));
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

}  // namespace bertprep
