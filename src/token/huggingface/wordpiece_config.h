// tokenizer_config.json beside the pieces of a WordPiece tokenizer.
#pragma once

#include <string>

#include "io/json.h"
#include "token/huggingface/wordpiece_json.h"

namespace bertprep {

// What it says about letters. Throws FormatError that names what would give other ids than BERT's tokenizer: another
// class, other special pieces, CJK characters that are no words by themselves.
SaidText parse_wordpiece_config(const Json& json, const std::string& where);

}  // namespace bertprep
