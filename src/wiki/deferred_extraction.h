// DeferredExtraction: the work on a page of a dump that does not depend on order.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "bertprep/source/document_source.h"
#include "bertprep/wiki/wiki_options.h"
#include "source/input/deferred_work.h"
#include "wiki/article_extractor.h"
#include "wiki/dump/wiki_page.h"

namespace bertprep {

class TemplateStore;

// A page's markup -> the lines of its article. One per thread.
class PageWorker {
 public:
  PageWorker(const WikiOptions& options, std::shared_ptr<const WikiSite> site,
             std::shared_ptr<const TemplateStore> templates);

  // Replaces `lines`, or says why the page is rejected.
  std::optional<Rejection> extract(const WikiPage& page, std::string& lines);
  // With --clean: counts the templates of the following pages there; null: doesn't count.
  void count_templates(TemplateCounts* counts) { extractor_.count_templates(counts); }
  // With --clean: why the last page is not an article; empty if it is one.
  std::string_view left_out() const { return extractor_.left_out(); }

 private:
  std::string dump_;
  ArticleExtractor extractor_;
};

class DeferredExtraction final : public DeferredWork {
 public:
  DeferredExtraction(const WikiOptions& options, std::shared_ptr<const WikiSite> site,
                     std::shared_ptr<const TemplateStore> templates);

  std::unique_ptr<Worker> make_worker() const override;

 private:
  WikiOptions options_;
  std::shared_ptr<const WikiSite> site_;
  std::shared_ptr<const TemplateStore> templates_;
};

}  // namespace bertprep
