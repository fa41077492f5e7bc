// Json: a small JSON document as a tree (configuration, catalogue, manifest), read by simdjson.
//
// Objects keep the order of their keys. Numbers keep their text, so integers of any size and decimals pass
// unchanged.
#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/library_version.h"
#include "bertprep/base/progress.h"

namespace bertprep {

class Json {
 public:
  enum class Kind { Null, Bool, Number, String, Array, Object };
  using Members = std::vector<std::pair<std::string, Json>>;

  Json() = default;
  Json(std::string text) : kind_(Kind::String), text_(std::move(text)) {}
  Json(std::string_view text) : Json(std::string(text)) {}
  Json(const char* text) : Json(std::string(text)) {}
  // A number, true or false. One with a sign would be taken for a null pointer if it is 0.
  template <std::signed_integral Value>
  Json(Value value) = delete;
  template <std::unsigned_integral Value>
  Json(Value value) : kind_(std::is_same_v<Value, bool> ? Kind::Bool : Kind::Number), text_(std::to_string(value)) {
    if (kind_ == Kind::Bool) text_ = value ? "true" : "false";
  }
  static Json boolean(bool value) { return value; }
  static Json number(std::uint64_t value) { return value; }
  // Numbers that are not finite become strings: JSON lacks them.
  static Json real(double value);
  // Throws FormatError if `text` is not a JSON number.
  static Json number_text(std::string text);
  static Json string(std::string text) { return text; }
  static Json array(std::initializer_list<Json> items = {});
  static Json object(std::initializer_list<Members::value_type> members = {});
  // What `to_json` makes of each element of a list; by default itself.
  template <class List, class ToJson = std::identity>
  static Json array_of(const List& list, ToJson to_json = {}) {
    Json json = array();
    for (const auto& element : list) json.items_.push_back(std::invoke(to_json, element));
    return json;
  }

  // Strict (RFC 8259, at most 200 levels deep). Throws FormatError with `name` (may be empty), the line if known and
  // the reason.
  static Json parse(std::string_view bytes, const std::string& name);

  Kind kind() const { return kind_; }
  // The text of a string, of a number as written, or "true"/"false". Throws FormatError for other kinds.
  const std::string& text() const;
  std::uint64_t as_unsigned() const;
  bool as_bool() const;
  const std::vector<Json>& items() const;  // of an array
  const Members& members() const;          // of an object

  // The last of equal keys counts, as in Python's json.
  const Json* find(std::string_view key) const;  // nullptr when absent
  const Json& at(std::string_view key) const;    // throws FormatError that names the key
  Json& add(std::string key, Json value);        // to an object; returns *this
  Json& push(Json value);                        // to an array; returns *this

  // Two-space indent and a final line feed, or all on one line without blanks and line feed. UTF-8 is written
  // unchanged; a byte of a string that is not UTF-8 (a file name may hold some) becomes U+FFFD.
  std::string dump() const;
  std::string dump_line() const;
  // On one line as Python's json.dumps writes it: blanks after ',' and ':', everything outside ASCII as \uXXXX.
  std::string dump_python() const;

 private:
  Kind kind_ = Kind::Null;
  std::string text_;
  std::vector<Json> items_;
  Members members_;
};

// The texts of an array. Throws FormatError.
std::vector<std::string> texts_in(const Json& array);

// What a file holds. Throws IoError, and FormatError with its name.
Json read_json(const std::filesystem::path& file);
Json read_sealed(const std::filesystem::path& file);

// Counts by reason, {"reason": 3}, and back: those under `key` of `object`, none where it has none.
Json json_of(const ReasonCounts& counts);
ReasonCounts reasons_in(const Json& object, std::string_view key);

LibraryVersion version_of_simdjson();

// The number grammar of RFC 8259, section 6.
bool is_json_number(std::string_view text);

// Appends `text`, with its quotation marks, as Json::dump_line() writes it: without a Json, which would copy the text.
void append_json_string(std::string_view text, std::string& out);

// Sealed JSON: the project's own documents, which reveal damage.
//
// The last member, "document_sha256", is the SHA-256 of the document's bytes with the 64 digits of that member replaced
// by zeros. Reading detects flipped bits, truncation, and files emptied by a power failure.

// The bytes of `object`, sealed. Two-space indent and a final line feed, as Json::dump() writes them.
std::string seal(Json object);

// Throws FormatError with `name` if `bytes` are not a JSON object, or not as seal() wrote them.
Json parse_sealed(std::string_view bytes, const std::string& name);

}  // namespace bertprep
