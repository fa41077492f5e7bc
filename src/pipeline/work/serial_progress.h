// SerialProgress: passes calls from several threads to an observer one at a time.
#pragma once

#include <functional>
#include <mutex>

#include "bertprep/base/progress.h"

namespace bertprep {

class SerialProgress final : public Progress {
 private:
  template <class Call, class... Arguments>
  auto serially(Call call, const Arguments&... arguments) const {
    const std::lock_guard lock(mutex_);
    return std::invoke(call, observer_, arguments...);
  }

 public:
  explicit SerialProgress(Progress& observer) : observer_(observer) {}

  void expect(std::span<const ExpectedSpan> spans) override { serially(&Progress::expect, spans); }
  void begin(std::string_view stage, std::uint64_t total, std::string_view unit) override {
    serially(&Progress::begin, stage, total, unit);
  }
  void advance(std::uint64_t amount) override { serially(&Progress::advance, amount); }
  void skipped(const SkippedRecord& record) override { serially(&Progress::skipped, record); }
  void remarked(const RecordRemark& remark) override { serially(&Progress::remarked, remark); }
  void note(std::string_view text) override { serially(&Progress::note, text); }
  void end() override { serially(&Progress::end); }
  bool cancelled() const override { return observer_.cancelled(); }
  std::optional<RunShare> run_share() const override { return serially(&Progress::run_share); }

 private:
  Progress& observer_;
  mutable std::mutex mutex_;
};

}  // namespace bertprep
