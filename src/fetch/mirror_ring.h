// The mirrors of a file: at which URLs it is looked for, which of them to try next, and when.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "bertprep/fetch/fetch.h"
#include "fetch/catalogue.h"
#include "fetch/http_client.h"

namespace bertprep {

// The URLs at which a file is looked for, in this order.

// First at each --mirror BASE, for every URL https://HOST/PATH of the catalogue: BASE/PATH and BASE/HOST/PATH, and then
// BASE/NAME; after them the URLs of the catalogue. No URL twice, and with --offline none that needs a network.
std::vector<Mirror> mirrors_of(const CatalogueFile& file, const FetchOptions& options);

// The --mirror bases without a slash at the end. Throws ConfigError for what is no http, https or file URL.
std::vector<std::string> mirror_bases(const FetchOptions& options);

// Whether --offline allows it.
bool may_ask(const std::string& url, const FetchOptions& options);

std::string host_of(const std::string& url);  // with its port
std::string path_of(const std::string& url);  // "/a/b.zip", without query

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
