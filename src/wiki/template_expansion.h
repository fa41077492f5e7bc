// TemplateExpander: the first stage of markup, {{...}} -> text.
//
// Without definitions of templates, magic words and parser functions have their values and every other call becomes
// nothing. The rules are those of the reference (docs/formats/wiki-braces.md).
#pragma once

#include <string>
#include <string_view>

#include "wiki/brace_matcher.h"
#include "wiki/wiki_page.h"

namespace bertprep {

class TemplateStore;

// One a thread.
class TemplateExpander {
 public:
  // Both are kept by reference; `templates` may be null.
  TemplateExpander(const WikiSite& site, const TemplateStore* templates) : site_(site), templates_(templates) {}

  // Replaces `out` by `text`, a part of `page`, with its braces expanded. False: that needs more work or memory than
  // the page's length allows (64 bytes for each of its own and a megabyte; 64 with definitions), or nests too deep;
  // `out` is empty then.
  bool expand(std::string_view text, const WikiPage& page, std::string& out);

 private:
  const WikiSite& site_;
  const TemplateStore* templates_;
  BraceStack stack_;
};

}  // namespace bertprep
