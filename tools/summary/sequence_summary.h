// The closing summary of a set of token sequences.
#pragma once

#include <map>
#include <string>

#include "console/console.h"
#include "pipeline/sequences/sequences.h"

namespace bertprep::cli {

// Prints a line for each split; events with --json. `options` are resolved.
void print_splits(const std::map<std::string, SequenceCounts>& splits, const SequenceOptions& options,
                  Console& console);

// The word for a sequence with these resolved options: "row", "block", "sentence", "document".
std::string sequence_word(const SequenceOptions& options);

}  // namespace bertprep::cli
