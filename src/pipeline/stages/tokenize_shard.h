// Text shard -> token ids.
//
// Input: the bytes of a text shard (docs/formats/text-shard.md), read as the reference reads them: lines end at LF, CR
// or CRLF and are stripped; an empty one ends a document; a line that gives no token is no sentence; a document without
// sentences is none. Order: the file's.
#pragma once

#include <string>
#include <string_view>

#include "bertprep/instance/instance_set.h"
#include "bertprep/token/tokenizer.h"
#include "quality/text_counts.h"

namespace bertprep {

// Throws FormatError with line and byte offset for invalid UTF-8; `file` stands in the message. `counter`, if
// given, counts what is tokenized and what is dropped.
TokenizedDocuments tokenize_text_shard(std::string_view bytes, const std::string& file, Tokenizer& tokenizer,
                                       TextCounter* counter = nullptr);

}  // namespace bertprep
