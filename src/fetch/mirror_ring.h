// The mirrors of a file: the URLs to try, in which order and when.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "bertprep/fetch/fetch.h"
#include "fetch/catalogue.h"
#include "fetch/failed_sources.h"
#include "fetch/http_client.h"

namespace bertprep {

// The URLs to try for a file, in order.

// First at each --mirror BASE, for every URL https://HOST/PATH of the catalogue: BASE/PATH and BASE/HOST/PATH, and then
// BASE/NAME; after them the URLs of the catalogue. URLs are distinct; with --offline, none needs a network.
std::vector<Mirror> mirrors_of(const CatalogueFile& file, const FetchOptions& options);

// The --mirror bases without a slash at the end. Throws ConfigError for other than http, https or file URLs.
std::vector<std::string> mirror_bases(const FetchOptions& options);

// Whether --offline allows the URL.
bool may_ask(const std::string& url, const FetchOptions& options);

std::string host_of(const std::string& url);  // with its port
std::string path_of(const std::string& url);  // "/a/b.zip", without query

struct RetryPolicy {
  std::int64_t retries = 8;  // consecutive ones without new bytes; a mirror gets one try more
  std::chrono::milliseconds first_pause{500};
  std::chrono::milliseconds longest_pause{60000};
  // A mirror that asks for a longer wait (Retry-After) is given up.
  std::chrono::milliseconds max_retry_after{600000};
  std::int64_t unreachable_retries = 2;  // limit for a host that can't be reached
};

// What the end of a try means for its mirror.
struct Verdict {
  enum class Kind { kGood, kTransient, kUnreachable, kPermanent, kRangeRefused } kind = Kind::kGood;
  std::string reason{};
  std::chrono::seconds retry_after{0};  // Retry-After
  Trouble trouble = Trouble::kUnreachable;
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

  // Nothing if no mirror is left.
  std::optional<Choice> choose(Clock::time_point now) const;
  const std::string& url(std::size_t index) const { return mirrors_[index].url; }
  std::size_t live_count() const;

  // The try failed. `progressed`: it brought new bytes, so the mirror is kept and its tries start again from 0.
  void failed(std::size_t index, const Verdict& verdict, bool progressed, Clock::time_point now);
  // No further try.
  void give_up(std::size_t index, const std::string& reason, Trouble trouble);
  // Try again at once.
  void again(std::size_t index, Clock::time_point now);

  // Each mirror that has failed, in the order of the URLs.
  std::vector<FailedSource> failed_sources() const;

 private:
  struct Mirror {
    std::string url;
    std::int64_t failures = 0;
    Clock::time_point ready_at{};
    std::string reason{};
    Trouble trouble = Trouble::kUnreachable;
    bool live = true;
  };
  Clock::duration pause(const Mirror& mirror);

  std::vector<Mirror> mirrors_;
  RetryPolicy policy_;
  std::optional<std::size_t> favourite_{};
  std::minstd_rand random_;
};

}  // namespace bertprep
