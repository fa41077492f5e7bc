// guess_format: the format of a file from its first bytes, by the rules of resolve_format.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "bertprep/source/open_source.h"
#include "source/input_list.h"

namespace bertprep {

// Looks at the first text that is not blank. Throws FormatError when no format fits, IoError.
InputFormat guess_format(std::span<const Input> inputs);

// The same for bytes at hand. `may_be_book`: rule 5 applies. `is_cut`: the file goes on after `sample`.
// `name` is for the FormatError.
InputFormat guess_format_of(std::string_view sample, bool is_cut, bool may_be_book, const std::string& name);

}  // namespace bertprep
