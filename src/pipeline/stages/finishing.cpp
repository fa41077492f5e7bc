#include "pipeline/stages/finishing.h"

#include <utility>

namespace bertprep {

std::unique_ptr<DeferredWork::Worker> FinishingWorkers::take(const std::shared_ptr<const DeferredWork>& deferred) {
  {
    const std::lock_guard lock(mutex_);
    if (deferred != deferred_) {
      deferred_ = deferred;
      free_.clear();
    }
    if (!free_.empty()) {
      auto worker = std::move(free_.back());
      free_.pop_back();
      return worker;
    }
  }
  return deferred->make_worker();
}

void FinishingWorkers::give_back(const std::shared_ptr<const DeferredWork>& deferred,
                                 std::unique_ptr<DeferredWork::Worker> worker) {
  const std::lock_guard lock(mutex_);
  if (deferred == deferred_) free_.push_back(std::move(worker));
}

Finishing::~Finishing() {
  give_back();
}

void Finishing::give_back() {
  if (worker_ == nullptr) return;
  worker_->count_templates(nullptr);
  workers_.give_back(deferred_, std::move(worker_));
}

std::optional<Rejection> Finishing::finish(Document& document) {
  if (document.deferred == nullptr) return std::nullopt;
  if (document.deferred != deferred_) {
    give_back();
    deferred_ = document.deferred;
    worker_ = workers_.take(deferred_);
    worker_->count_templates(templates_);
  }
  return worker_->finish(document);
}

}  // namespace bertprep
