// Wikimedia's search index, which holds the rendered text of each page: a line that names the page, then one with its
// document.
#pragma once

#include "source/input/record_source.h"

namespace bertprep {

// Whether a text begins with {"index":{"_.
bool begins_as_cirrus(std::string_view text);

// Reading throws FormatError where the last page is missing.
OpenText cirrus_reader(const CorpusReading& reading);

}  // namespace bertprep
