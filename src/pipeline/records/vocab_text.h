// How text is read for a vocabulary: --lower-case and --strip-accents, as it needs them.
#pragma once

#include <span>
#include <string>

#include "base/fields.h"
#include "bertprep/base/progress.h"
#include "bertprep/token/tokenizer.h"

namespace bertprep {

// Which of them the user gave.
struct GivenText {
  bool lower_case = false;
  bool strip_accents = false;
};
// A configuration file may name all options, with their defaults.
GivenText given_text(std::span<const GivenOption> options);

// "in lower case, accents are stripped"
std::string text_in_words(bool lower_case, bool strip_accents);

// Sets both, unless given, to what the files of the tokenizer `vocabulary` say, and notes that they differ from the
// defaults. Throws as load_vocab().
void adopt_vocab_text(GivenText given, const std::string& vocabulary, TokenizerOptions& tokenizer, Progress& progress);

// For a vocabulary of which no record says how text is read: throws ConfigError if many of its pieces can't occur in
// text as it is read, unless this was asked for; else notes their number.
void require_reachable_pieces(GivenText given, const std::string& vocabulary, const Vocab& vocab,
                              const TokenizerOptions& tokenizer, Progress& progress);

}  // namespace bertprep
