#include "pipeline/stages/finishing.h"
#include "source/input/document_finisher.h"

#include <utility>

namespace bertprep {

std::unique_ptr<DocumentFinisher::Worker> FinishingWorkers::take(
    const std::shared_ptr<const DocumentFinisher>& finisher) {
  {
    const std::lock_guard lock(mutex_);
    if (finisher != finisher_) {
      finisher_ = finisher;
      free_.clear();
    }
    if (!free_.empty()) {
      auto worker = std::move(free_.back());
      free_.pop_back();
      return worker;
    }
  }
  return finisher->make_worker();
}

void FinishingWorkers::give_back(const std::shared_ptr<const DocumentFinisher>& finisher,
                                 std::unique_ptr<DocumentFinisher::Worker> worker) {
  const std::lock_guard lock(mutex_);
  if (finisher == finisher_) free_.push_back(std::move(worker));
}

Finishing::~Finishing() {
  give_back();
}

void Finishing::give_back() {
  if (worker_ != nullptr) workers_.give_back(finisher_, std::move(worker_));
}

std::optional<Rejection> Finishing::finish(Document& document) {
  if (document.finisher == nullptr) return std::nullopt;
  if (document.finisher != finisher_) {
    give_back();
    finisher_ = document.finisher;
    worker_ = workers_.take(finisher_);
  }
  return worker_->finish(document);
}

}  // namespace bertprep
