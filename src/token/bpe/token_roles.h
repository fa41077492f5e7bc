// Which tokens of a byte-level BPE vocabulary begin and end rows, fill them, and so on.
#pragma once

#include <string>

#include "token/bpe/byte_pair_model.h"

namespace bertprep {

// Completes model.specials: what `config` (tokenizer_config.json, may be empty) says comes first, then what the
// post-processor said, then tokens by their usual names. Throws FormatError that names `where` when the file names a
// token that the vocabulary has not.
void find_roles(const std::string& config, const std::string& where, BytePairModel& model);

}  // namespace bertprep
