// Text shard -> token ids.
//
// Input: the bytes of a text shard (docs/formats/text-shard.md), read like the reference: lines end at LF, CR or CRLF
// and are stripped; an empty one ends a document; lines without tokens and documents without sentences are dropped. The
// order is that of the file.
#pragma once

#include "bertprep/instance/instance_set.h"
#include "quality/text_counts.h"

namespace bertprep {

// Throws FormatError with line and byte offset for invalid UTF-8; `file` is for the message. `counter`, if given,
// counts tokenized and dropped text. Throws Cancelled.
TokenizedDocuments tokenize_text_shard(std::string_view bytes, const std::string& file, Tokenizer& tokenizer,
                                       TextCounter* counter = nullptr, const Progress& progress = {});

// The position of a sentence in its text shard.
struct SentencePlace {
  std::uint64_t begin = 0;  // byte
  std::uint32_t size = 0;   // bytes
  std::uint32_t line = 0;   // from 1
};

// The same, and the place of each sentence of the result.
TokenizedDocuments tokenize_with_places(std::string_view bytes, const std::string& file, Tokenizer& tokenizer,
                                        std::vector<SentencePlace>& places);

}  // namespace bertprep
