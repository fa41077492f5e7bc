#include "fetch/download.h"

#include <algorithm>
#include <list>
#include <map>
#include <optional>

#include "bertprep/base/error.h"
#include "fetch/mirror_ring.h"

namespace bertprep {

namespace {

using std::chrono::milliseconds;
using Clock = Download::Clock;

// How long a cancellation may go unnoticed.
constexpr milliseconds kLongestWait{200};
constexpr milliseconds kOtherProcessInterval{1000};
// Files whose parts may be open at the same time.
constexpr std::ptrdiff_t kMaxOpen = 16;

struct Slot {
  enum class State { kForeign, kWaiting, kRunning, kDone };

  Slot(DownloadTask task, const RetryPolicy& policy, Progress& progress, DownloadMeter& meter)
      : download(std::move(task), policy, progress, meter) {}

  Download download;
  State state = State::kForeign;  // another process may have it
  Clock::time_point check_at{};
  bool is_reported = false;
  std::string host{};
};

class Queue {
 public:
  Queue(const std::vector<DownloadTask>& tasks, const FetchOptions& options, const RetryPolicy& policy,
        Progress& progress, bool skip_failures)
      : options_(options),
        progress_(progress),
        skip_failures_(skip_failures),
        meter_(progress),
        client_(http_settings(options)) {
    for (const DownloadTask& task : tasks) slots_.emplace_back(task, policy, progress, meter_);
  }

  void run() {
    while (std::ranges::any_of(slots_, [](const Slot& slot) { return slot.state != Slot::State::kDone; })) {
      if (progress_.cancelled()) throw Cancelled();
      const auto now = Clock::now();
      auto next = now + kLongestWait;
      for (Slot& slot : slots_) {
        if (slot.state == Slot::State::kForeign) acquire(slot, now);
        if (slot.state == Slot::State::kWaiting) next = std::min(next, start(slot, now));
      }
      wait(std::max(milliseconds(1), std::chrono::duration_cast<milliseconds>(next - now)));
    }
  }

 private:
  void acquire(Slot& slot, Clock::time_point now) {
    const auto is_open = [](const Slot& one) {
      return one.state == Slot::State::kWaiting || one.state == Slot::State::kRunning;
    };
    if (slot.check_at > now || std::ranges::count_if(slots_, is_open) >= kMaxOpen) return;
    slot.check_at = now + kOtherProcessInterval;
    if (slot.download.acquire()) {
      slot.state = slot.download.is_done() ? Slot::State::kDone : Slot::State::kWaiting;
    } else if (!slot.is_reported) {
      slot.is_reported = true;
      progress_.note("another process is downloading " + slot.download.name() + "; waiting for it");
    }
  }

  // Starts the slot if its time has come and its host has a free connection; returns when to check again.
  Clock::time_point start(Slot& slot, Clock::time_point now) {
    const auto choice = next_mirror(slot, now);
    if (!choice) return now;
    if (choice->ready_at > now) return choice->ready_at;
    const std::string host = host_of(slot.download.url(choice->index));
    if (connections_[host] >= options_.connections) return now + kLongestWait;
    slot.host = host;
    ++connections_[host];
    slot.state = Slot::State::kRunning;
    client_.start(slot.download.begin_try(choice->index), slot.download);
    return now + kLongestWait;
  }

  // Nothing if the slot has failed and the others continue.
  std::optional<MirrorRing::Choice> next_mirror(Slot& slot, Clock::time_point now) {
    try {
      return slot.download.next(now);
    } catch (const Error&) {
      if (!skip_failures_) throw;
      progress_.skipped({slot.download.name(), "could not be fetched: " + in_one_line(slot.download.failed_sources())});
      slot.download.abandon();
      slot.state = Slot::State::kDone;
      return std::nullopt;
    }
  }

  void wait(milliseconds longest) {
    for (const HttpClient::Finished& finished : client_.wait(longest)) {
      const auto slot =
          std::ranges::find_if(slots_, [&](const Slot& one) { return &one.download == finished.receiver; });
      --connections_[slot->host];
      slot->download.end_try(finished.outcome, Clock::now());
      slot->state = slot->download.is_done() ? Slot::State::kDone : Slot::State::kWaiting;
    }
  }

  const FetchOptions& options_;
  Progress& progress_;
  bool skip_failures_;
  DownloadMeter meter_;
  std::list<Slot> slots_;
  std::map<std::string, std::int64_t> connections_;
  HttpClient client_;  // last: ends its transfers before the slots are destroyed
};

}  // namespace

HttpSettings http_settings(const FetchOptions& options) {
  return {options.contact, options.stall_seconds, options.verify_certificates, options.offline};
}

RetryPolicy retry_policy(const FetchOptions& options) {
  RetryPolicy policy;
  policy.retries = options.retries;
  return policy;
}

void download_all(const std::vector<DownloadTask>& tasks, const FetchOptions& options, const RetryPolicy& policy,
                  Progress& progress) {
  if (!tasks.empty()) Queue(tasks, options, policy, progress, false).run();
}

void download_each(const std::vector<DownloadTask>& tasks, const FetchOptions& options, const RetryPolicy& policy,
                   Progress& progress) {
  if (!tasks.empty()) Queue(tasks, options, policy, progress, true).run();
}

}  // namespace bertprep
