#include "pipeline/stages/extract_pass.h"

#include "bertprep/base/error.h"
#include "io/json.h"
#include "pipeline/work/workers.h"
#include "wiki/dump/doc_element.h"
#include "wiki/templates/template_file.h"

namespace bertprep {
namespace {

// Enough work for a thread.
constexpr std::size_t kExtractedBlockBytes = std::size_t{256} << 10U;
constexpr std::size_t kBlockPages = 256;
// A longer page is extracted alone: extraction needs several times its length.
constexpr std::size_t kLongPageBytes = std::size_t{2} << 20U;

// Without the final brace: the place of the article is added when known.
std::string origin_json(const WikiPage& page, const WikiSite& site) {
  std::string line = Json::object()
                         .add("id", Json::string(page.id))
                         .add("title", Json::string(page.title))
                         .add("revision_id", Json::string(page.revision_id))
                         .add("timestamp", Json::string(page.timestamp))
                         .add("url", Json::string(url_of(site, page.id)))
                         .add("dump", Json::string(site.dump))
                         .dump_line();
  line.pop_back();
  return line;
}

}  // namespace

std::unique_ptr<PageWorker> PageWorkers::take(const std::shared_ptr<const WikiSite>& site) {
  const std::lock_guard lock(mutex_);
  if (site != site_) {
    site_ = site;
    free_.clear();
  }
  if (free_.empty()) return std::make_unique<PageWorker>(options_, site, templates_);
  auto worker = std::move(free_.back());
  free_.pop_back();
  return worker;
}

void PageWorkers::give_back(const std::shared_ptr<const WikiSite>& site, std::unique_ptr<PageWorker> worker) {
  const std::lock_guard lock(mutex_);
  if (site == site_) free_.push_back(std::move(worker));
}

struct ExtractPass::Block {
  std::shared_ptr<const WikiSite> site;
  std::vector<WikiPage> pages;
  std::size_t page_bytes = 0;
  std::uint64_t input_bytes = 0;        // of the dumps, read so far
  std::vector<Rejection> read_rejects;  // from before these pages
  std::vector<RecordRemark> remarks;    // likewise
  std::vector<Article> articles;
  std::optional<TemplateCounts> templates;
};

ExtractPass::ExtractPass(const ExtractTask& task, std::size_t threads, Rejects& rejects, ReadObserver* observer)
    : task_(task), threads_(threads), rejects_(rejects) {
  const auto collect = [this](const std::string& where, const std::string& reason, std::string_view record) {
    read_rejects_.push_back({where, reason, std::string(record)});
  };
  collect_ = std::make_unique<Rejects>(rejects.is_strict(), collect);
  reader_ = std::make_unique<DumpReader>(task.dumps, task.wiki.clock, *collect_, task_runner(threads));
  if (task.wiki.clean) reader_->read_elements();
  reader_->set_observer(observer);
}

ExtractCounts ExtractPass::run(const WriteDoc& write, Progress& progress) {
  const auto reject = [&](std::span<const Rejection> rejections) {
    for (const Rejection& one : rejections) rejects_.add(one.where, one.reason, one.record);
  };
  const auto write_block = [&](Block& block) {
    reject(block.read_rejects);
    for (const RecordRemark& remark : block.remarks) progress.remarked(remark);
    for (const Article& article : block.articles) {
      if (article.rejection) {
        reject({&*article.rejection, 1});
        continue;
      }
      if (!article.left_out.empty()) {
        counts_.left_out.add(article.left_out);
        continue;
      }
      write(article.doc, article.origin);
      ++counts_.articles;
    }
    if (block.templates) counts_.templates.add(std::move(*block.templates));
    progress.advance(block.input_bytes - std::exchange(counts_.reported_bytes, block.input_bytes));
  };
  run_ordered<Block>(
      threads_, progress, [&] { return read_block(); }, [&](Block& block) { extract(block); }, write_block);
  reject(read_rejects_);
  for (const RecordRemark& remark : reader_->take_remarks()) progress.remarked(remark);
  counts_.left_out.add(reader_->take_left_out());
  counts_.left_out.add(kOtherSpaceReason, other_pages_);
  counts_.pages = reader_->pages();
  counts_.redirects = reader_->redirects();
  if (counts_.redirects != 0) counts_.left_out.add(kRedirectReason, counts_.redirects);
  return counts_;
}

// Pages of one wiki. A page that belongs to the next block stays in page_.
std::unique_ptr<ExtractPass::Block> ExtractPass::read_block() {
  if (workers_ == nullptr) {
    workers_ = std::make_unique<PageWorkers>(task_.wiki,
                                             load_templates(task_.wiki.templates, task_.dumps, task_runner(threads_)));
  }
  auto block = std::make_unique<Block>();
  if (!task_.wiki.report.empty()) block->templates.emplace();
  while (block->page_bytes < kExtractedBlockBytes && block->pages.size() < kBlockPages) {
    const bool is_kept = std::exchange(has_page_, false);
    if (!is_kept && !read_page()) break;
    const bool is_alone = page_.page.text.size() > kLongPageBytes;
    if (!block->pages.empty() && (is_alone || reader_->site() != block->site)) {
      has_page_ = true;
      break;
    }
    block->site = reader_->site();
    block->page_bytes += page_.page.text.size();
    block->pages.push_back(std::move(page_.page));
    page_ = {};
    if (is_alone) break;
  }
  if (block->pages.empty()) return nullptr;
  block->input_bytes = reader_->input_bytes_read();
  counts_.page_bytes += block->page_bytes;
  block->read_rejects = std::exchange(read_rejects_, {});
  block->remarks = reader_->take_remarks();
  if (block->pages.front().text.size() > kLongPageBytes) extract_long(*block);
  return block;
}

// The next article; a fault of a whole dump is thrown after all its articles have been written.
bool ExtractPass::read_page() {
  if (counts_.error) return false;
  try {
    while (reader_->next(page_)) {
      if (page_.namespace_key == kArticleSpace) return true;
      ++other_pages_;
    }
  } catch (const FormatError&) {
    if (rejects_.is_strict()) throw;
    counts_.error = std::current_exception();
  }
  return false;
}

void ExtractPass::extract(Block& block) {
  if (!block.articles.empty()) return;
  PageWorkers::Loan worker(*workers_, block.site);
  extract_pages(block, *worker);
}

// Before the next page is read, so that only one of them is processed at a time, by a worker whose buffers are not
// kept.
void ExtractPass::extract_long(Block& block) {
  PageWorker worker = workers_->make(block.site);
  extract_pages(block, worker);
}

void ExtractPass::extract_pages(Block& block, PageWorker& worker) {
  block.articles.resize(block.pages.size());
  worker.count_templates(block.templates ? &*block.templates : nullptr);
  for (std::size_t i = 0; i < block.pages.size(); ++i)
    extract_page(block.pages[i], *block.site, worker, block.articles[i]);
  worker.count_templates(nullptr);
}

void ExtractPass::extract_page(WikiPage& page, const WikiSite& site, PageWorker& worker, Article& article) {
  std::string lines;
  article.rejection = worker.extract(page, lines);
  page.text = {};
  article.left_out = worker.left_out();
  if (article.rejection || !article.left_out.empty()) return;
  append_doc(page.id, url_of(site, page.id), page.title, lines, article.doc);
  article.origin = origin_json(page, site);
}

}  // namespace bertprep
