// WikiOptions: how wiki markup becomes text. The defaults give the output of the reference's extractor.
#pragma once

#include <cstdint>
#include <string>

namespace bertprep {

// With `clean`: what goes with a template or formula that is lost in the middle of a sentence. kKeep: nothing.
enum class HoleRule { kSentence, kParagraph, kKeep };

struct WikiOptions {
  // true: drop {{...}} first instead of evaluating it (magic words, parser functions).
  bool no_templates = false;
  // A file of template definitions; if it does not exist, it is made from the template pages of the dump. Empty: no
  // template is known, and all expand to nothing.
  std::string templates{};
  // The time of CURRENTYEAR and the like, ISO 8601 ("2020-07-22T12:00:00"). Empty: the date in the dump's name, else
  // the time of the first revision in it.
  std::string clock{};

  // Cleaner text than the reference's (docs/formats/clean-text.md).
  bool clean = false;
  bool lists = false;           // with `clean`: keep list items
  bool headings = false;        // with `clean`: keep headings
  std::int64_t min_length = 0;  // with `clean`: leave out articles with fewer characters
  HoleRule holes = HoleRule::kSentence;
  // As SourceOptions::as_is, with which it is set: the lines are those of the extractor, not what the reference's
  // formatting makes of them; with `clean`, empty lines part paragraphs and headings, as in HuggingFace's wikipedia.
  bool as_is = false;
  // With `clean`: a JSON file, outside of the results, that says which templates were dropped
  // (docs/formats/clean-text.md). Empty: none, and nothing is counted. Text that was extracted without it, or whose
  // report is gone or changed, is extracted again.
  std::string report{};
};

// Throws ConfigError: values out of range, an invalid clock, options that work only with `clean`.
void check(const WikiOptions& options);

}  // namespace bertprep
