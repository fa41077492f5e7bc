// Finishing: does a source's deferred work on its documents, with workers reused from block to block.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "bertprep/source/document_source.h"
#include "source/input/deferred_work.h"

namespace bertprep {

// A pool of workers for the current source. Thread-safe.
class FinishingWorkers {
 public:
  std::unique_ptr<DeferredWork::Worker> take(const std::shared_ptr<const DeferredWork>& deferred);
  void give_back(const std::shared_ptr<const DeferredWork>& deferred, std::unique_ptr<DeferredWork::Worker> worker);

 private:
  std::mutex mutex_;
  std::shared_ptr<const DeferredWork> deferred_;
  std::vector<std::unique_ptr<DeferredWork::Worker>> free_;
};

// Finishes the documents of a block, one by one.
class Finishing {
 public:
  // Counts the templates of wiki pages in `templates`, unless it is null.
  explicit Finishing(FinishingWorkers& workers, TemplateCounts* templates = nullptr)
      : workers_(workers), templates_(templates) {}
  ~Finishing();
  Finishing(const Finishing&) = delete;
  Finishing& operator=(const Finishing&) = delete;

  // Returns why the document is rejected, or nothing. Throws Error.
  std::optional<Rejection> finish(Document& document);

 private:
  void give_back();

  FinishingWorkers& workers_;
  TemplateCounts* templates_;
  std::shared_ptr<const DeferredWork> deferred_;
  std::unique_ptr<DeferredWork::Worker> worker_;
};

}  // namespace bertprep
