// MirrorRing: which mirror to try next, and when.
//
// The first mirror of the list that is ready is tried, so a better one is gone back to as soon as its pause is over;
// but a mirror that has just given bytes is stayed with. Pauses double from try to try, with a random share (so that a
// hundred tasks don't come back at the same moment), and are as long as the server asks for in Retry-After.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "fetch/http_client.h"

namespace bertprep {

struct RetryPolicy {
  std::int64_t retries = 8;  // in a row without new bytes; a mirror gets one try more than that
  std::chrono::milliseconds first_pause{500};
  std::chrono::milliseconds longest_pause{60000};
  // A longer Retry-After counts as a refusal while there is another mirror, and is cut to this where there is none.
  std::chrono::milliseconds longest_wish{600000};
  std::int64_t unreachable_retries = 2;  // a host that can't be reached at all gets no more than these
};

// What a try's end means for its mirror.
struct Verdict {
  enum class Kind { kGood, kTransient, kUnreachable, kPermanent, kRangeRefused } kind = Kind::kGood;
  std::string reason{};
  std::chrono::seconds wish{0};  // Retry-After
};

Verdict judge(const HttpOutcome& outcome);

class MirrorRing {
 public:
  using Clock = std::chrono::steady_clock;
  struct Choice {
    std::size_t index;
    Clock::time_point ready_at;
  };

  MirrorRing(std::vector<std::string> urls, const RetryPolicy& policy);

  // Nothing when no mirror is left.
  std::optional<Choice> choose(Clock::time_point now) const;
  const std::string& url(std::size_t index) const { return mirrors_[index].url; }
  std::size_t live_count() const;

  // The try did not end well. `progressed`: it brought new bytes; the mirror is stayed with and its tries count anew.
  void failed(std::size_t index, const Verdict& verdict, bool progressed, Clock::time_point now);
  // No further try. `wrong_data`: what it has is something else.
  void give_up(std::size_t index, const std::string& reason, bool wrong_data = false);
  // Once more, at once.
  void again(std::size_t index, Clock::time_point now);

  // "URL: reason" of each mirror that has failed, one after the other.
  std::string reasons() const;
  bool has_wrong_data() const;

 private:
  struct Mirror {
    std::string url;
    std::int64_t failures = 0;
    Clock::time_point ready_at{};
    std::string reason{};
    bool live = true;
    bool wrong_data = false;
  };
  Clock::duration pause(const Mirror& mirror);

  std::vector<Mirror> mirrors_;
  RetryPolicy policy_;
  std::optional<std::size_t> favourite_{};
  std::minstd_rand random_;
};

}  // namespace bertprep
