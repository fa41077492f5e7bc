// ForwardingProgress: passes every call on to another observer; derive from it to intercept some of them.
// SilentProgress: passes on only the question whether to stop.
#pragma once

#include "bertprep/base/progress.h"

namespace bertprep {

class ForwardingProgress : public Progress {
 public:
  // `observer` is kept by reference.
  explicit ForwardingProgress(Progress& observer) : observer_(observer) {}

  void expect(std::span<const ExpectedSpan> spans) override { observer_.expect(spans); }
  void begin(std::string_view stage, std::uint64_t total, std::string_view unit) override {
    observer_.begin(stage, total, unit);
  }
  void advance(std::uint64_t amount) override { observer_.advance(amount); }
  void skipped(const SkippedRecord& record) override { observer_.skipped(record); }
  void remarked(const RecordRemark& remark) override { observer_.remarked(remark); }
  void note(std::string_view text) override { observer_.note(text); }
  void end() override { observer_.end(); }
  bool cancelled() const override { return observer_.cancelled(); }
  std::optional<RunShare> run_share() const override { return observer_.run_share(); }

 private:
  Progress& observer_;
};

class SilentProgress : public Progress {
 public:
  // `observer` is kept by reference.
  explicit SilentProgress(const Progress& observer) : observer_(observer) {}

  bool cancelled() const override { return observer_.cancelled(); }

 private:
  const Progress& observer_;
};

}  // namespace bertprep
