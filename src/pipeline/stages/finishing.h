// Finishing: what a source left to be done with its documents, by workers that serve one block after the other.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "bertprep/source/document_source.h"
#include "source/input/deferred_work.h"

namespace bertprep {

// The workers that no thread is using, all of one source: that of the part being read. Thread-safe.
class FinishingWorkers {
 public:
  std::unique_ptr<DeferredWork::Worker> take(const std::shared_ptr<const DeferredWork>& deferred);
  void give_back(const std::shared_ptr<const DeferredWork>& deferred, std::unique_ptr<DeferredWork::Worker> worker);

 private:
  std::mutex mutex_;
  std::shared_ptr<const DeferredWork> deferred_;
  std::vector<std::unique_ptr<DeferredWork::Worker>> free_;
};

// Finishes the documents of a block, one after the other.
class Finishing {
 public:
  explicit Finishing(FinishingWorkers& workers) : workers_(workers) {}
  ~Finishing();
  Finishing(const Finishing&) = delete;
  Finishing& operator=(const Finishing&) = delete;

  // Why the document is rejected, or nothing. Throws Error.
  std::optional<Rejection> finish(Document& document);

 private:
  void give_back();

  FinishingWorkers& workers_;
  std::shared_ptr<const DeferredWork> deferred_;
  std::unique_ptr<DeferredWork::Worker> worker_;
};

}  // namespace bertprep
