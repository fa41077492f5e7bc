// A small JSON reader for golden files with one value a line.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace bertprep::test {

struct JsonValue {
  std::string text;               // of a string, decoded to UTF-8; of a number or literal, as written
  std::vector<JsonValue> items;   // of an array or object
  std::vector<std::string> keys;  // of the items of an object

  const JsonValue& operator[](std::size_t index) const { return items.at(index); }
  const JsonValue& at(std::string_view key) const;  // throws if the key is absent
  std::vector<std::string> texts() const;           // of an array of strings
  std::vector<int> integers() const;                // of an array of numbers
};

// Throws std::runtime_error unless `line` is one complete JSON value.
JsonValue parse_json(std::string_view line);
std::vector<JsonValue> read_json_lines(const std::filesystem::path& path);

}  // namespace bertprep::test
