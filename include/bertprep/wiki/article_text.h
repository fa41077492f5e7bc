// article_text: the markup of one page -> clean text, as extraction with `clean` writes it
// (docs/formats/clean-text.md). For dumps, see extract_articles() and the format `mediawiki`.
#pragma once

#include <string>
#include <string_view>

#include "bertprep/wiki/wiki_options.h"

namespace bertprep {

// The page whose markup it is.
struct WikiPageName {
  std::string language = "en";  // the code of its Wikipedia
  std::string title{};          // as readers see it
};

// `markup` is UTF-8, as its editors write it. Returns the paragraphs, parted by line feeds; nothing of a redirect or a
// disambiguation page, nor of one shorter than `min_length`. Of `options`, `lists`, `headings`, `min_length`, `holes`
// and `clock` have an effect. Thread-safe. Throws ConfigError: invalid options, a language that is no code.
std::string article_text(std::string_view markup, const WikiPageName& page = {}, const WikiOptions& options = {});

}  // namespace bertprep
