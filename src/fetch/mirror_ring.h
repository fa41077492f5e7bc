// The mirrors of a file: the URLs to try, in which order and when; and what each said that did not give it.
#pragma once

#include <random>

#include "fetch/catalogue.h"
#include "fetch/http_client.h"

namespace bertprep {

// First at each --mirror BASE, for every URL https://HOST/PATH of the catalogue: BASE/PATH and BASE/HOST/PATH, and then
// BASE/NAME; after them the URLs of the catalogue. URLs are distinct; with --offline, none needs a network.
std::vector<Mirror> mirrors_of(const CatalogueFile& file, const FetchOptions& options);

// The --mirror bases without a slash at the end. Throws ConfigError for other than http, https or file URLs.
std::vector<std::string> mirror_bases(const FetchOptions& options);

// Whether --offline allows the URL.
bool may_ask(const std::string& url, const FetchOptions& options);

std::string host_of(const std::string& url);  // with its port
std::string path_of(const std::string& url);  // "/a/b.zip", without query

// In the order of messages: from what stays to what a later try may find changed.
enum class Trouble {
  kGone,         // 404, 410, a redirect to nowhere
  kOtherData,    // another file, or a page
  kRefused,      // 401, 403 and the like
  kUnusable,     // certificate, protocol, URL, answers that don't fit together
  kAsksToWait,   // Retry-After beyond what a run waits
  kUnreachable,  // no connection, a broken one, 5xx
};

struct FailedSource {
  std::string url;
  Trouble trouble = Trouble::kUnreachable;
  std::string reason{};
};

// Whether one of them may give the file later.
bool may_recover(const std::vector<FailedSource>& failed);

// "URL: reason; URL: reason".
std::string in_one_line(const std::vector<FailedSource>& failed);

// Throws that the file `where` ("what": "could not be fetched") is to be had from none of them. The hint ends with a
// line for each, most lasting first; addresses of a host that say the same share one. FormatError if one sent other
// data, unless another asks to wait; else IoError, transient if one of them may recover.
[[noreturn]] void throw_failed(const std::string& what, const std::string& where, const std::string& hint,
                               const std::vector<FailedSource>& failed);

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

// " in 45 s" of a pause that a user would notice; else empty.
std::string pause_text(std::chrono::nanoseconds pause);

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
  struct Mirror : FailedSource {
    std::int64_t failures = 0;
    Clock::time_point ready_at{};
    bool live = true;
  };
  Clock::duration pause(const Mirror& mirror);

  std::vector<Mirror> mirrors_;
  RetryPolicy policy_;
  std::optional<std::size_t> favourite_{};
  std::minstd_rand random_;
};

}  // namespace bertprep
