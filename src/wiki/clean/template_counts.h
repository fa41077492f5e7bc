// TemplateCounts: which templates of pages were shown and which were dropped, for `extract --report`.
#pragma once

#include <functional>

#include "wiki/clean/lines.h"
#include "wiki/clean/render.h"

namespace bertprep {

struct DroppedTemplate {
  std::uint64_t uses = 0;
  std::string page;    // the title of the first page with one, in the order of the dump
  std::string sample;  // the wikitext of the first use rendered there, without references and comments, cut
};

struct LostSentence {
  std::string page;
  std::string text;  // its holes as {{…}}
};

// Memory: the distinct names of dropped and silent templates. One a thread at a time.
struct TemplateCounts {
  struct Uses {
    std::uint64_t shown = 0;
    std::uint64_t silent = 0;   // nothing is what a reader should see: citation needed
    std::uint64_t dropped = 0;  // unknown, or nothing was written
    std::map<std::string, DroppedTemplate, std::less<>> dropped_by_name;
    std::map<std::string, std::uint64_t, std::less<>> silent_by_name;
  };

  Uses in_text;    // among words that are shown
  Uses elsewhere;  // alone on their lines, as infoboxes; in lists and headings that are left out

  // Sentences that lost a template or formula, and what was left out with them.
  std::uint64_t holes = 0;
  std::uint64_t left_out = 0;
  std::vector<LostSentence> lost;  // the first ones

  // Of pages that follow these in the dump.
  void add(TemplateCounts&& later);
  void add_lost(LostSentence one);
};

namespace clean {

// Where the uses of one page stand. Marks and text are those that were rendered.
struct CountedPage {
  std::string_view title;
  std::string_view text;
  std::span<const Mark> marks;
  const WikiSite& site;
  LineRules rules;
};

// Adds the uses that a Renderer noted. Time: as rendering.
void count_uses(std::span<const TemplateUse> uses, const CountedPage& page, TemplateCounts& counts);

void count_losses(const PageLosses& losses, std::string_view title, TemplateCounts& counts);

}  // namespace clean
}  // namespace bertprep
