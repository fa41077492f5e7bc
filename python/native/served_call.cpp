#include "served_call.h"

#include <thread>

#include "bertprep/base/error.h"
#include "bindings.h"

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
  std::vector<Event> events;
  {
    const std::lock_guard lock(mutex_);
    events.swap(events_);
    if (std::exchange(has_advanced_, false)) events.push_back(event("progress"));
  }
  if (observer_.is_none() || is_cancelled_) return;
  for (const Event& event : events) {
    const py::object left = event.seconds_left ? py::object(py::float_(*event.seconds_left)) : py::none();
    observer_(record("ProgressEvent", event.kind, event.stage, event.done, event.total, event.unit, event.fraction,
                     left, text_object(event.where), text_object(event.text)));
  }
}

double ServedCall::now() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
}

ServedCall::Event ServedCall::event(std::string kind) const {
  const RunShare share = meter_.share(now());
  return {std::move(kind), meter_.stage(), meter_.done(),     meter_.total(),
          meter_.unit(),   share.fraction, share.seconds_left};
}

void ServedCall::add(Event event) {
  if (!observer_.is_none()) events_.push_back(std::move(event));
}

void ServedCall::expect(std::span<const ExpectedSpan> spans) {
  const std::lock_guard lock(mutex_);
  meter_.expect(spans);
}

void ServedCall::begin(std::string_view stage, std::uint64_t total, std::string_view unit) {
  const std::lock_guard lock(mutex_);
  meter_.begin(stage, total, unit, now());
  add(event("begin"));
}

void ServedCall::advance(std::uint64_t amount) {
  const std::lock_guard lock(mutex_);
  meter_.advance(amount, now());
  has_advanced_ = true;
}

void ServedCall::skipped(const SkippedRecord& record) {
  const std::lock_guard lock(mutex_);
  Event skipped = event("rejected");
  skipped.where = record.where;
  skipped.text = record.reason;
  add(std::move(skipped));
}

void ServedCall::remarked(const RecordRemark& remark) {
  const std::lock_guard lock(mutex_);
  Event remarked = event("remark");
  remarked.where = remark.where;
  remarked.text = remark.text;
  add(std::move(remarked));
}

void ServedCall::note(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (notes_.size() < kMaxNotes) notes_.emplace_back(text);
  Event note = event("note");
  note.text = text;
  add(std::move(note));
}

void ServedCall::end() {
  const std::lock_guard lock(mutex_);
  meter_.end(now());
  has_advanced_ = false;
  add(event("end"));
}

std::optional<RunShare> ServedCall::run_share() const {
  const std::lock_guard lock(mutex_);
  return meter_.share(now());
}

}  // namespace bertprep::python
