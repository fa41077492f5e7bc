// Rows as HTML: segments as blocks, and what is to be predicted in colours.
#pragma once

#include <string>

#include "report/shown_row.h"

namespace bertprep {

// `place` says which row it is: "x_training_0.hdf5: row 12". Tokens beyond the first 1,024 are counted alone.
std::string row_html(const ShownRow& row, const std::string& place);
// What the colours mean.
std::string row_key_html();

}  // namespace bertprep
