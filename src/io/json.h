// Json: a small JSON document as a tree (configuration, catalogue, manifest), read by simdjson.
//
// Objects keep the order of their keys. Numbers keep their text, so integers of any size and decimals pass
// unchanged.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
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
  static Json boolean(bool value);
  static Json number(std::uint64_t value);
  // Numbers that are not finite become strings: JSON lacks them.
  static Json real(double value);
  // Throws FormatError if `text` is not a JSON number.
  static Json number_text(std::string text);
  static Json string(std::string text);
  static Json array();
  static Json object();

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
