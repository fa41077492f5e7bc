// A row of a shard as text.
#pragma once

#include <string>

#include "bertprep/shard/schema.h"
#include "bertprep/token/vocab.h"

namespace bertprep::cli {

// Lines for the label, segment A, segment B and the masked tokens with their originals. `batch` holds one row; without
// a vocabulary ids are shown.
std::string row_text(const Batch& batch, const ShardShape& shape, const Vocab* vocab);
// The same as an event: ids, and pieces where there is a vocabulary.
void print_row_event(std::size_t row, const Batch& batch, const ShardShape& shape, const Vocab* vocab);

}  // namespace bertprep::cli
