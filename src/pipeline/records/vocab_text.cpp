#include "pipeline/records/vocab_text.h"

#include <algorithm>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "pipeline/records/dataset_vocab.h"
#include "token/said_text.h"
#include "token/token_words.h"

namespace bertprep {

GivenText given_text(std::span<const GivenOption> options) {
  const auto is_given = [&](std::string_view name) {
    return std::ranges::any_of(options, [&](const GivenOption& option) {
      return option.name == name && (option.is_flag || !option.is_default);
    });
  };
  return {is_given("lower-case"), is_given("strip-accents")};
}

std::string text_in_words(bool lower_case, bool strip_accents) {
  return std::string(lower_case ? "in lower case" : "with its capitals") + ", accents are " +
         (strip_accents ? "stripped" : "kept");
}

void adopt_vocab_text(GivenText given, const std::string& vocabulary, TokenizerOptions& tokenizer, Progress& progress) {
  const SaidText said = text_of_tokenizer(vocabulary);
  if (!said.lower_case) return;
  TokenizerOptions adopted = tokenizer;
  if (!given.lower_case) adopted.lower_case = *said.lower_case;
  // Left as it is, the contradiction is an error.
  if (adopted.lower_case != *said.lower_case) return;
  if (said.strip_accents && !given.strip_accents) {
    adopted.strip_accents = options_of_said_text(said).strip_accents;
  }
  const bool is_as_before =
      adopted.lower_case == tokenizer.lower_case && adopted.strip_accents == tokenizer.strip_accents;
  tokenizer = adopted;
  if (is_as_before) return;
  progress.note("the text is read as " + (said.by.empty() ? "the catalogue" : said.by) +
                " says: " + text_in_words(tokenizer.lower_case, normalization_of(tokenizer).strip_accents));
}

void require_reachable_pieces(GivenText given, const std::string& vocabulary, const Vocab& vocab,
                              const TokenizerOptions& tokenizer, Progress& progress) {
  const UnreachablePieces found = unexplained_pieces(vocabulary, vocab, tokenizer);
  if (found.pieces == 0) return;
  const bool lower_case = tokenizer.lower_case;
  const std::string what = "the vocabulary '" + vocabulary + "': " + grouped(found.pieces) + " of its " +
                           counted(found.of, "piece") + ", such as '" + found.example + "', can't occur in " +
                           (lower_case ? "text that is turned into lower case" : "text without accents");
  if (!found.are_many() || given.lower_case || given.strip_accents) {
    return progress.note(what);
  }
  throw ConfigError(what, {},
                    "give `lower_case` false for a cased vocabulary, `strip_accents` no for one with accents, or "
                    "`lower_case` true if this is meant");
}

}  // namespace bertprep
