// ExtractPass: reads pages in order, turns them into <doc> elements in parallel, and writes them in order.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/pipeline/stages.h"
#include "source/input/article_limit.h"
#include "source/input/deferred_work.h"
#include "wiki/clean/template_counts.h"
#include "wiki/deferred_extraction.h"
#include "wiki/dump/dump_reader.h"

namespace bertprep {

// A pool of extractors. Thread-safe.
class PageWorkers {
 public:
  PageWorkers(const WikiOptions& options, std::shared_ptr<const TemplateStore> templates)
      : options_(options), templates_(std::move(templates)) {}

  // A worker for pages of `site`, which is returned when the loan ends.
  class Loan {
   public:
    Loan(PageWorkers& workers, std::shared_ptr<const WikiSite> site)
        : workers_(workers), site_(std::move(site)), worker_(workers.take(site_)) {}
    ~Loan() { workers_.give_back(site_, std::move(worker_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    PageWorker& operator*() { return *worker_; }

   private:
    PageWorkers& workers_;
    std::shared_ptr<const WikiSite> site_;
    std::unique_ptr<PageWorker> worker_;
  };

  // A worker that is not kept.
  PageWorker make(std::shared_ptr<const WikiSite> site) const { return {options_, std::move(site), templates_}; }

 private:
  std::unique_ptr<PageWorker> take(const std::shared_ptr<const WikiSite>& site);
  void give_back(const std::shared_ptr<const WikiSite>& site, std::unique_ptr<PageWorker> worker);

  WikiOptions options_;
  std::shared_ptr<const TemplateStore> templates_;
  std::mutex mutex_;
  std::shared_ptr<const WikiSite> site_;  // of the pooled workers
  std::vector<std::unique_ptr<PageWorker>> free_;
};

struct ExtractCounts {
  std::uint64_t articles = 0;
  std::uint64_t pages = 0;  // of all namespaces, without redirects
  std::uint64_t redirects = 0;
  std::uint64_t page_bytes = 0;
  std::uint64_t reported_bytes = 0;  // of the dumps, as reported to the progress
  ReasonCounts left_out;
  TemplateCounts templates;  // for WikiOptions::report
  std::exception_ptr error;  // of a damaged dump, although all pages were returned
};

class ExtractPass {
 public:
  // Receives articles in order: its <doc> element, and its origin as a JSON object without the closing brace.
  using WriteDoc = std::function<void(std::string_view doc, std::string_view origin)>;

  // `observer` receives the bytes of the dumps. If the task has a report, ExtractCounts counts the templates of
  // articles.
  ExtractPass(const ExtractTask& task, std::size_t threads, Rejects& rejects, ReadObserver* observer = nullptr);

  // Calls `write` and the rejects one at a time. Throws Error, except for ExtractCounts::error.
  ExtractCounts run(const WriteDoc& write, Progress& progress);

 private:
  struct Article {
    std::string doc;
    std::string origin;
    std::optional<Rejection> rejection;
    std::string_view left_out;  // PageWorker::left_out()
  };
  struct Block;

  std::unique_ptr<Block> read_block();
  bool read_page();
  void extract(Block& block);
  void extract_long(Block& block);
  static void extract_pages(Block& block, PageWorker& worker);
  static void extract_page(WikiPage& page, const WikiSite& site, PageWorker& worker, Article& article);

  const ExtractTask& task_;
  std::size_t threads_;
  Rejects& rejects_;
  std::vector<Rejection> read_rejects_;  // since the last block
  std::unique_ptr<Rejects> collect_;
  std::unique_ptr<DumpReader> reader_;
  std::unique_ptr<PageWorkers> workers_;
  ExtractCounts counts_;
  DumpPage page_;
  bool has_page_ = false;          // page_ is the first of the next block
  std::uint64_t other_pages_ = 0;  // of namespaces without articles
};

}  // namespace bertprep
