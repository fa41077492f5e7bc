// CleanExtractor: a page's markup -> clean prose, for `--clean`. What is repaired: docs/formats/clean-text.md.
#pragma once

#include <memory>

#include "bertprep/wiki/wiki_options.h"
#include "wiki/dump/wiki_page.h"

namespace bertprep {

struct TemplateCounts;

// Why a page gives no text. Every page that is left out is counted by one of these.
enum class CleanVerdict { kKept, kRedirect, kDisambiguation, kTooShort, kEmpty };

// "disambiguation page" and the like, for reports.
std::string_view reason_of(CleanVerdict verdict);

// What of an article is kept: --lists, --headings, --min-length in characters, and --holes.
struct CleanChoice {
  bool lists = false;
  bool headings = false;
  std::int64_t min_length = 0;
  HoleRule holes = HoleRule::kSentence;
  bool parts_paragraphs = false;  // WikiOptions::as_is
};

// Changes whenever the text of a page may: part of the recipe of clean text. A number, a digest of the tables, and
// ICU's version.
std::string clean_text_version();

class CleanExtractor {
 public:
  // One extractor a thread: buffers are used again from page to page. `site` is kept.
  CleanExtractor(const CleanChoice& choice, std::shared_ptr<const WikiSite> site);
  ~CleanExtractor();

  // Templates of the pages that are kept from now on are counted there; null: none.
  void count_templates(TemplateCounts* counts);

  // Replaces `lines` by the article's paragraphs, each ended by LF; empty unless the verdict is kKept. Time and memory
  // are bounded by a multiple of the page's length, and the depth of recursion by a constant, so there is no budget.
  CleanVerdict extract(const WikiPage& page, std::string& lines);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace bertprep
