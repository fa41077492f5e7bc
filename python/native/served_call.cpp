#include "served_call.h"

#include <thread>

#include "bertprep/base/error.h"
#include "records.h"

namespace bertprep::python {
namespace {

constexpr std::chrono::milliseconds kInterval{50};
constexpr std::size_t kMaxNotes = 1000;

}  // namespace

void ServedCall::serve(const std::function<void()>& work) {
  std::exception_ptr error;
  std::thread worker([&] {
    try {
      work();
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    changed_.notify_all();
  });
  for (bool is_over = false; !is_over;) {
    is_over = wait();
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      answer();
      deliver();
    } catch (...) {
      keep_failure();
    }
  }
  {
    const py::gil_scoped_release released;
    worker.join();
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  if (error) std::rethrow_exception(error);
}

bool ServedCall::wait() {
  const py::gil_scoped_release released;
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, kInterval, [&] { return is_over_ || request_ != nullptr; });
  return is_over_;
}

void ServedCall::answer() {
  const std::function<void()>* request = nullptr;
  {
    const std::lock_guard lock(mutex_);
    request = request_;
  }
  if (request == nullptr) return;
  try {
    if (!is_cancelled_) (*request)();
  } catch (...) {
    keep_failure();
  }
  const std::lock_guard lock(mutex_);
  request_ = nullptr;
  changed_.notify_all();
}

void ServedCall::ask(const std::function<void()>& request) {
  std::unique_lock lock(mutex_);
  request_ = &request;
  changed_.notify_all();
  changed_.wait(lock, [&] { return request_ == nullptr; });
  if (is_cancelled_) throw Cancelled();
}

void ServedCall::keep_failure() {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::current_exception();
  is_cancelled_ = true;
}

void ServedCall::fail() {
  keep_failure();
  throw Cancelled();
}

void ServedCall::deliver() {
  std::vector<ProgressEvent> events;
  {
    const std::lock_guard lock(mutex_);
    events.swap(events_);
    if (std::exchange(has_advanced_, false)) events.push_back(event("progress"));
  }
  if (observer_.is_none() || is_cancelled_) return;
  for (const ProgressEvent& event : events) observer_(to_object(event));
}

double ServedCall::now() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
}

ProgressEvent ServedCall::event(const char* kind, std::string_view where, std::string_view text) const {
  const RunShare share = meter_.share(now());
  return {kind,           meter_.stage(),     meter_.done(),      meter_.total(),   meter_.unit(),
          share.fraction, share.seconds_left, std::string(where), std::string(text)};
}

void ServedCall::add(const char* kind, std::string_view where, std::string_view text) {
  if (!observer_.is_none()) events_.push_back(event(kind, where, text));
}

void ServedCall::expect(std::span<const ExpectedSpan> spans) {
  const std::lock_guard lock(mutex_);
  meter_.expect(spans);
}

void ServedCall::begin(std::string_view stage, std::uint64_t total, std::string_view unit) {
  const std::lock_guard lock(mutex_);
  meter_.begin(stage, total, unit, now());
  add("begin");
}

void ServedCall::advance(std::uint64_t amount) {
  const std::lock_guard lock(mutex_);
  meter_.advance(amount, now());
  has_advanced_ = true;
}

void ServedCall::skipped(const SkippedRecord& record) {
  const std::lock_guard lock(mutex_);
  add("rejected", record.where, record.reason);
}

void ServedCall::remarked(const RecordRemark& remark) {
  const std::lock_guard lock(mutex_);
  add("remark", remark.where, remark.text);
}

void ServedCall::note(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (notes_.size() < kMaxNotes) notes_.emplace_back(text);
  add("note", {}, text);
}

void ServedCall::end() {
  const std::lock_guard lock(mutex_);
  meter_.end(now());
  has_advanced_ = false;
  add("end");
}

std::optional<RunShare> ServedCall::run_share() const {
  const std::lock_guard lock(mutex_);
  return meter_.share(now());
}

}  // namespace bertprep::python
