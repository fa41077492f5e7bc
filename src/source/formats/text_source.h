// The formats that are lines of text: a formatted file, one article per line (docs/formats/articles.md), a text shard,
// one sentence per line (docs/formats/text-shard.md), and the WikiText-2 and WikiText-103 files.
#pragma once

#include "source/input/record_source.h"

namespace bertprep {

OpenText articles_reader(const SourceOptions& options, const CorpusReading& reading);
OpenText sentences_reader(const SourceOptions& options, const CorpusReading& reading);
OpenText wikitext_reader(const SourceOptions& options, const CorpusReading& reading);

// " = Title = " in a WikiText file, with a title of two characters or more that neither begins nor ends with '='.
// Such a line is the heading of an article only between blank lines.
bool looks_like_wikitext_title(std::string_view line);

// " = = Section = = " and deeper.
bool is_wikitext_section(std::string_view line);

// The title within a line that looks like one.
std::string_view wikitext_title(std::string_view line);

// Removes the blanks around punctuation, and marks such as " @-@ ", from `row`, valid UTF-8: a line, with or without
// its line feed, independent of other lines. The rules, their order and their errors are those of Mistral's
// preparation of GPT-2's corpora (stanford-crfm/mistral, src/corpora/detokenization.py), which follow Megatron-LM's.
void detokenize_wikitext(std::string& row);

}  // namespace bertprep
