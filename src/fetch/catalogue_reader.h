// The JSON of a catalogue -> its entries.
#pragma once

#include <string>

#include "fetch/catalogue.h"
#include "io/json.h"

namespace bertprep {

// Adds behind what is there; the first entry of a name counts. `where` is named in errors. Throws FormatError: a key
// that no catalogue has, a missing or wrong value.
void add_to_catalogue(const Json& document, const std::string& where, Catalogue& catalogue);

}  // namespace bertprep
