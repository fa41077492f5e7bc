// ServedCall: a call of the library in a thread of its own, served by the thread of Python that made it.
//
// The serving thread holds the interpreter's lock only to read the user's documents, to report progress and to notice
// Ctrl-C, which Python tells its main thread alone. The user's iterator and callback run in the user's thread.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/run_meter.h"
#include "bertprep/base/progress.h"
#include "results.h"

namespace bertprep::python {

struct ProgressEvent {
  std::string kind{};
  std::string stage{};
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  std::string unit{};
  double fraction = 0;
  std::optional<double> seconds_left{};
  std::string where{};
  std::string text{};
};

class ServedCall final : public Progress {
 public:
  // `observer` is called with each bertprep.ProgressEvent; None: with none.
  explicit ServedCall(py::object observer) : observer_(std::move(observer)) {}

  // Does `work` and returns its result. Throws what it throws, or the first exception of Python: of the user's
  // iterator, callback or component, or KeyboardInterrupt. With the interpreter's lock.
  template <class Work>
  auto run(Work&& work) {
    std::optional<decltype(work())> result;
    serve([&] { result.emplace(work()); });
    return std::move(*result);
  }

  // With what the library noted, in order; the first 1,000.
  template <class Report>
  Noted<Report> noted(Report report) const {
    return {std::move(report), notes_};
  }

  // For the thread of `work`: has the serving thread do `request`. Throws Cancelled if it throws.
  void ask(const std::function<void()>& request);
  // For any thread that runs Python, in a catch block with its lock: keeps the exception for run(), throws Cancelled.
  [[noreturn]] void fail();

  void expect(std::span<const ExpectedSpan> spans) override;
  void begin(std::string_view stage, std::uint64_t total, std::string_view unit) override;
  void advance(std::uint64_t amount) override;
  void skipped(const SkippedRecord& record) override;
  void remarked(const RecordRemark& remark) override;
  void note(std::string_view text) override;
  void end() override;
  bool cancelled() const override { return is_cancelled_; }
  std::optional<RunShare> run_share() const override;

 private:
  void serve(const std::function<void()>& work);
  bool wait();
  void answer();
  void deliver();
  void keep_failure();
  double now() const;
  ProgressEvent event(const char* kind, std::string_view where = {}, std::string_view text = {}) const;
  void add(const char* kind, std::string_view where = {}, std::string_view text = {});

  py::object observer_;
  std::atomic<bool> is_cancelled_ = false;

  mutable std::mutex mutex_;  // of all below
  std::condition_variable changed_;
  bool is_over_ = false;
  const std::function<void()>* request_ = nullptr;
  std::exception_ptr failure_;  // of Python
  bool has_advanced_ = false;
  std::vector<ProgressEvent> events_;
  std::vector<std::string> notes_;
  RunMeter meter_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

}  // namespace bertprep::python
