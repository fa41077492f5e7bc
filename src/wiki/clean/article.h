// CleanExtractor: a page's markup -> clean prose, for `--clean`. What is repaired: docs/formats/clean-text.md.
#pragma once

#include <memory>

#include "bertprep/wiki/wiki_options.h"
#include "wiki/dump/wiki_page.h"

namespace bertprep {

struct TemplateCounts;

// Why a page gives no text, beside kRedirectReason. Every page that is left out is counted by one of these.
inline constexpr std::string_view kDisambiguationReason = "disambiguation page";
inline constexpr std::string_view kTooShortReason = "shorter than `min_length`";
inline constexpr std::string_view kNoTextReason = "no text";

// Changes whenever the text of a page may: part of the recipe of clean text. A number, a digest of the tables, and
// ICU's version.
std::string clean_text_version();

class CleanExtractor {
 public:
  // One extractor a thread: buffers are used again from page to page. `site` is kept. `options`: those that work with
  // `clean`, and as_is.
  CleanExtractor(const WikiOptions& options, std::shared_ptr<const WikiSite> site);
  ~CleanExtractor();

  // Templates of the pages that are kept from now on are counted there; null: none.
  void count_templates(TemplateCounts* counts);

  // Replaces `lines` by the article's paragraphs, each ended by LF, or returns why there is none; empty: there is. Time
  // and memory are bounded by a multiple of the page's length, and the depth of recursion by a constant, so there is no
  // budget.
  std::string_view extract(const WikiPage& page, std::string& lines);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace bertprep
