// ArticleExtractor: a page's markup -> the lines of its article. The order of the stages is in article_stages.cpp.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "bertprep/wiki/wiki_options.h"
#include "wiki/dump/wiki_page.h"

namespace bertprep {

class CleanExtractor;
class TemplateStore;

class ArticleExtractor {
 public:
  // `templates` may be null. One extractor a thread: buffers are used again from page to page.
  ArticleExtractor(const WikiOptions& options, std::shared_ptr<const WikiSite> site,
                   std::shared_ptr<const TemplateStore> templates);
  ~ArticleExtractor();

  // Replaces `lines` by the article's lines, each ended by LF. False: the page needs more work than its budget allows
  // (docs/formats/wiki-text.md), and `lines` is empty. Time is bounded by a multiple of the page's length.
  bool extract(const WikiPage& page, std::string& lines);

  // With --clean: why the last page gave no article, as reason_of(CleanVerdict) says it; empty when it gave one.
  std::string_view left_out() const { return left_out_; }

 private:
  std::unique_ptr<CleanExtractor> clean_;  // null without --clean
  std::string_view left_out_;
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace bertprep
