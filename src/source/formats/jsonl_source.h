// JSON Lines, one object per line, or an array of objects. Ignores blank lines; a record without text is a bad record.
#pragma once

#include "source/input/record_source.h"

namespace bertprep {

enum class JsonLayout {
  kLines,   // one object per line, as in JSON Lines
  kArray,   // an array
  kSpread,  // an object spread over several lines
};

// How to fix a file of such objects.
inline constexpr const char* kSpreadJsonHint = "write one object per line: jq -c . FILE > FILE.jsonl";

// Judges a file by its first bytes, which may begin with blanks.
JsonLayout json_layout_of(std::string_view head);

// Whether the text, which does not begin with blanks, begins as an object with a key or an array of such objects; prose
// that begins with a bracket doesn't.
bool begins_as_json_objects(std::string_view text);
// The same for an array of strings.
bool begins_as_json_strings(std::string_view text);

// The elements of an array, which may be invalid JSON. `bytes` begin with its bracket, possibly after blanks and a byte
// order mark. next() throws FormatError with line and byte if it is not an array, or the array is truncated or followed
// by other text.
std::unique_ptr<RecordCutter> json_elements(std::string name, std::unique_ptr<ByteStream> bytes,
                                            std::uint64_t max_bytes);

// Throws FormatError for an object spread over several lines.
OpenText jsonl_reader(const SourceOptions& options, const CorpusReading& reading);

}  // namespace bertprep
