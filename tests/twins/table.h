// Tables by RFC 4180, byte for byte: the plain twin of TableRecords and split_table_record.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bertprep::test {

struct PlainRecord {
  std::optional<std::vector<std::string>> fields;  // nothing: its quotes are broken
  std::uint64_t line = 0;
  std::uint64_t byte = 0;
  bool operator==(const PlainRecord&) const = default;
};

// The fields of the record at the front of `text`; nothing if its quotes are broken. `end` is after its line end.
inline std::optional<std::vector<std::string>> plain_fields(std::string_view text, char separator, std::size_t& end) {
  std::vector<std::string> fields{""};
  bool is_quoted = false;  // within quotes
  bool is_closed = false;  // after the quotes of a field
  bool is_fresh = true;    // at the beginning of a field
  for (end = 0; end < text.size(); ++end) {
    const char c = text[end];
    const bool ends_line = c == '\n' || text.substr(end, 2) == "\r\n" || (c == '\r' && end + 1 == text.size());
    if (is_quoted) {
      if (c != '"') {
        fields.back() += c;
      } else if (text.substr(end, 2) == "\"\"") {
        fields.back() += c;
        ++end;
      } else {
        is_quoted = false;
        is_closed = true;
      }
    } else if (c == separator) {
      fields.emplace_back();
      is_fresh = true;
      is_closed = false;
      continue;
    } else if (ends_line) {
      end += c == '\r' ? std::min<std::size_t>(2, text.size() - end) : 1;
      return fields;
    } else if (is_closed) {
      return std::nullopt;
    } else if (c == '"' && is_fresh) {
      is_quoted = true;
    } else {
      fields.back() += c;
    }
    is_fresh = false;
  }
  if (is_quoted) return std::nullopt;
  return fields;
}

inline std::vector<PlainRecord> plain_records(std::string_view text, char separator) {
  std::vector<PlainRecord> records;
  std::uint64_t line = 1;
  std::size_t at = text.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0;
  while (at < text.size()) {
    std::size_t bytes = 0;
    auto fields = plain_fields(text.substr(at), separator, bytes);
    if (!fields) bytes = std::min(text.find('\n', at), text.size() - 1) + 1 - at;
    const std::string_view record = text.substr(at, bytes);
    const bool is_blank = record == "\n" || record == "\r\n" || record == "\r";
    if (!is_blank) records.push_back({std::move(fields), line, at});
    for (const char c : record) line += c == '\n' ? 1 : 0;
    at += bytes;
  }
  return records;
}

}  // namespace bertprep::test
