// SerialProgress: passes calls from several threads to an observer one at a time.
#pragma once

#include <mutex>

#include "bertprep/base/progress.h"

namespace bertprep {

class SerialProgress final : public Progress {
 public:
  explicit SerialProgress(Progress& observer) : observer_(observer) {}

  void expect(std::span<const ExpectedSpan> spans) override {
    const std::lock_guard lock(mutex_);
    observer_.expect(spans);
  }
  void begin(std::string_view stage, std::uint64_t total, std::string_view unit) override {
    const std::lock_guard lock(mutex_);
    observer_.begin(stage, total, unit);
  }
  void advance(std::uint64_t amount) override {
    const std::lock_guard lock(mutex_);
    observer_.advance(amount);
  }
  void skipped(const SkippedRecord& record) override {
    const std::lock_guard lock(mutex_);
    observer_.skipped(record);
  }
  void remarked(const RecordRemark& remark) override {
    const std::lock_guard lock(mutex_);
    observer_.remarked(remark);
  }
  void note(std::string_view text) override {
    const std::lock_guard lock(mutex_);
    observer_.note(text);
  }
  void end() override {
    const std::lock_guard lock(mutex_);
    observer_.end();
  }
  bool cancelled() const override { return observer_.cancelled(); }
  std::optional<RunShare> run_share() const override {
    const std::lock_guard lock(mutex_);
    return observer_.run_share();
  }

 private:
  Progress& observer_;
  mutable std::mutex mutex_;
};

}  // namespace bertprep
