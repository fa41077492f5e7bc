// Sealed JSON: documents of the project's own that tell whether they are what was written.
//
// The last member, "document_sha256", is the SHA-256 of the document's bytes with the 64 digits of that member replaced
// by zeros. A flipped bit, a cut or a file that was emptied by a power failure is found when the document is read.
#pragma once

#include <string>
#include <string_view>

#include "io/json.h"

namespace bertprep {

// The bytes of `object`, sealed. Two-space indent and a final line feed, as Json::dump() writes them.
std::string seal(Json object);

// Throws FormatError with `name` when `bytes` are no JSON object, or not those that seal() made.
Json parse_sealed(std::string_view bytes, const std::string& name);

}  // namespace bertprep
