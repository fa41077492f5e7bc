// A row of a shard as text.
#pragma once

#include <cstddef>
#include <string>

#include "report/inspected_rows.h"

namespace bertprep::cli {

// Lines for the label, segment A, segment B and the masked tokens with their originals; of a token sequence its pieces
// in one line, or its text, each line of which begins with a bar.
// With colours, tokens to predict are highlighted in place, and the padding is counted.
std::string row_text(const ShownRow& row, bool has_colours);
// The row of this number, which was read, as an event: ids, and pieces or text if there is a vocabulary.
void print_row_event(std::size_t row, const InspectedRows& rows);

}  // namespace bertprep::cli
