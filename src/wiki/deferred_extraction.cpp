#include "wiki/deferred_extraction.h"

#include <utility>

#include "unicode/utf8_text.h"
#include "wiki/dump/doc_element.h"

namespace bertprep {
namespace {

constexpr std::size_t kShownBytes = 4096;

class DeferredWorker final : public DeferredWork::Worker {
 public:
  DeferredWorker(const WikiOptions& options, std::shared_ptr<const WikiSite> site,
                 std::shared_ptr<const TemplateStore> templates)
      : worker_(options, std::move(site), std::move(templates)), formats_(!options.clean && !options.as_is) {}

  std::optional<Rejection> finish(SourceDocument& document) override {
    page_.id = document.origin.page_id;
    page_.revision_id = document.origin.revision_id;
    page_.timestamp = document.origin.timestamp;
    page_.title = document.title;
    page_.text.swap(document.text);
    std::optional<Rejection> rejection = worker_.extract(page_, document.text);
    if (!rejection && formats_) format_lines(document.title, document.text);
    document.left_out = worker_.left_out();
    return rejection;
  }
  void count_templates(TemplateCounts* counts) override { worker_.count_templates(counts); }

 private:
  PageWorker worker_;
  bool formats_;  // as the reference does
  WikiPage page_;
};

}  // namespace

PageWorker::PageWorker(const WikiOptions& options, std::shared_ptr<const WikiSite> site,
                       std::shared_ptr<const TemplateStore> templates)
    : dump_(site->dump), extractor_(options, std::move(site), std::move(templates)) {}

std::optional<Rejection> PageWorker::extract(const WikiPage& page, std::string& lines) {
  const auto rejection = [&](std::string reason) {
    lines.clear();
    return Rejection{dump_ + ": page '" + page.title + "' (id " + page.id + ")", std::move(reason),
                     page.text.substr(0, kShownBytes)};
  };
  if (find_invalid_utf8(page.title)) return rejection("the title is not UTF-8");
  if (const auto fault = find_invalid_utf8(page.text)) {
    return rejection("invalid UTF-8 at byte " + std::to_string(*fault) + " of the page's text");
  }
  if (!extractor_.extract(page, lines)) return rejection("the markup of the page needs too much work");
  return std::nullopt;
}

DeferredExtraction::DeferredExtraction(const WikiOptions& options, std::shared_ptr<const WikiSite> site,
                                       std::shared_ptr<const TemplateStore> templates)
    : options_(options), site_(std::move(site)), templates_(std::move(templates)) {}

std::unique_ptr<DeferredWork::Worker> DeferredExtraction::make_worker() const {
  return std::make_unique<DeferredWorker>(options_, site_, templates_);
}

}  // namespace bertprep
