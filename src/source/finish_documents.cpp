// Finishes documents one by one, in the calling thread.
#include <map>
#include <utility>

#include "bertprep/source/open_source.h"
#include "source/input/article_limit.h"
#include "source/input/deferred_work.h"

namespace bertprep {
namespace {

class FinishedSource final : public DocumentSource {
 public:
  FinishedSource(std::unique_ptr<DocumentSource> source, RejectSink rejects)
      : source_(std::move(source)), rejects_(false, std::move(rejects)) {}

  bool next(Document& document) override {
    while (source_->next(document)) {
      const auto deferred = document.deferred;
      if (deferred == nullptr) return true;
      const auto rejection = worker_of(deferred).finish(document);
      if (!rejection) return true;
      rejects_.add(rejection->where, rejection->reason, rejection->record);
    }
    return false;
  }

  std::optional<std::uint64_t> input_bytes_read() const override { return source_->input_bytes_read(); }

  std::vector<RecordRemark> take_remarks() override { return source_->take_remarks(); }
  ReasonCounts take_left_out() override { return source_->take_left_out(); }

 private:
  // A source has one kind of deferred work or a few.
  DeferredWork::Worker& worker_of(const std::shared_ptr<const DeferredWork>& deferred) {
    auto& worker = workers_[deferred];
    if (worker == nullptr) worker = deferred->make_worker();
    return *worker;
  }

  std::unique_ptr<DocumentSource> source_;
  Rejects rejects_;
  std::map<std::shared_ptr<const DeferredWork>, std::unique_ptr<DeferredWork::Worker>> workers_;
};

}  // namespace

std::unique_ptr<DocumentSource> finish_documents(std::unique_ptr<DocumentSource> source, RejectSink rejects) {
  return std::make_unique<FinishedSource>(std::move(source), std::move(rejects));
}

}  // namespace bertprep
