#include "fetch/mirror_ring.h"

#include <algorithm>

#include "base/fields.h"
#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr std::string_view kScheme = "://";

std::size_t begin_of_host(const std::string& url) {
  const std::size_t scheme = url.find(kScheme);
  return scheme == std::string::npos ? 0 : scheme + kScheme.size();
}

void add_once(std::vector<Mirror>& mirrors, Mirror mirror) {
  const auto same = [&](const Mirror& other) { return other.url == mirror.url && other.member == mirror.member; };
  if (std::ranges::none_of(mirrors, same)) mirrors.push_back(std::move(mirror));
}

constexpr std::int64_t kMaxDoublings = 20;
constexpr std::int64_t kLongestAsked = std::int64_t{1} << 30U;  // seconds: some 34 years

bool is_transient(int status) {
  return status == 408 || status == 425 || status == 429 || status >= 500;
}

// Redirects are followed, but for those that don't say where to.
bool is_gone(int status) {
  return status == 404 || status == 410 || (status >= 300 && status < 400);
}

}  // namespace

bool may_ask(const std::string& url, const FetchOptions& options) {
  return !options.offline || url.starts_with("file://");
}

std::string host_of(const std::string& url) {
  const std::size_t begin = begin_of_host(url);
  return url.substr(begin, url.find('/', begin) - begin);
}

std::string path_of(const std::string& url) {
  const std::size_t slash = url.find('/', begin_of_host(url));
  if (slash == std::string::npos) return "/";
  return url.substr(slash, url.find_first_of("?#", slash) - slash);
}

std::vector<std::string> mirror_bases(const FetchOptions& options) {
  std::vector<std::string> bases = split_list(options.mirror);
  for (std::string& base : bases) {
    if (!base.starts_with("http://") && !base.starts_with("https://") && !base.starts_with("file://")) {
      throw ConfigError("`mirror`: '" + base + "' is not a URL", {}, "start it with http://, https:// or file://");
    }
    while (base.ends_with('/')) base.pop_back();
  }
  return bases;
}

void check(const FetchOptions& options) {
  validate(options);
  mirror_bases(options);
}

std::vector<Mirror> mirrors_of(const CatalogueFile& file, const FetchOptions& options) {
  std::vector<Mirror> mirrors;
  for (const std::string& base : mirror_bases(options)) {
    for (const Mirror& known : file.mirrors) {
      add_once(mirrors, {base + path_of(known.url), known.member});
      add_once(mirrors, {base + "/" + host_of(known.url) + path_of(known.url), known.member});
    }
    add_once(mirrors, {base + "/" + file.name});
  }
  for (const Mirror& known : file.mirrors) add_once(mirrors, known);
  std::erase_if(mirrors, [&](const Mirror& mirror) { return !may_ask(mirror.url, options); });
  return mirrors;
}

Verdict judge(const HttpOutcome& outcome) {
  const int status = outcome.reply.status;
  switch (outcome.end) {
    case HttpEnd::kUnreachable:
      return {Verdict::Kind::kUnreachable, outcome.reason};
    case HttpEnd::kBroken:
      return {Verdict::Kind::kTransient, outcome.reason};
    case HttpEnd::kRefused:
      return {Verdict::Kind::kPermanent, outcome.reason, {}, Trouble::kUnusable};
    case HttpEnd::kStopped:
    case HttpEnd::kDone:
      break;
  }
  if (status == 200 || status == 206) return {};
  if (status == 416) return {Verdict::Kind::kRangeRefused, status_text(status), {}, Trouble::kOtherData};
  if (is_transient(status)) {
    const std::chrono::seconds asked{std::clamp<std::int64_t>(outcome.reply.retry_after_seconds, 0, kLongestAsked)};
    return {Verdict::Kind::kTransient, status_text(status), asked};
  }
  const std::string& code = outcome.reply.error_code;
  return {Verdict::Kind::kPermanent,
          status_text(status) + (code.empty() ? "" : " (" + code + ")"),
          {},
          is_gone(status) ? Trouble::kGone : Trouble::kRefused};
}

MirrorRing::MirrorRing(std::vector<std::string> urls, const RetryPolicy& policy)
    : policy_(policy), random_(std::random_device{}()) {
  for (std::string& url : urls) {
    Mirror mirror;
    mirror.url = std::move(url);
    mirrors_.push_back(std::move(mirror));
  }
}

std::optional<MirrorRing::Choice> MirrorRing::choose(Clock::time_point now) const {
  if (favourite_ && mirrors_[*favourite_].live) return Choice{*favourite_, mirrors_[*favourite_].ready_at};
  std::optional<Choice> best;
  for (std::size_t i = 0; i < mirrors_.size(); ++i) {
    const Mirror& mirror = mirrors_[i];
    if (!mirror.live) continue;
    if (mirror.ready_at <= now) return Choice{i, mirror.ready_at};
    if (!best || mirror.ready_at < best->ready_at) best = Choice{i, mirror.ready_at};
  }
  return best;
}

std::size_t MirrorRing::live_count() const {
  return static_cast<std::size_t>(std::ranges::count_if(mirrors_, [](const Mirror& mirror) { return mirror.live; }));
}

MirrorRing::Clock::duration MirrorRing::pause(const Mirror& mirror) {
  const std::int64_t doublings = std::min(mirror.failures > 0 ? mirror.failures - 1 : 0, kMaxDoublings);
  const auto full = std::min(policy_.first_pause * (std::int64_t{1} << doublings), policy_.longest_pause);
  std::uniform_real_distribution<double> share(0.5, 1.5);
  return std::chrono::duration_cast<Clock::duration>(full * share(random_));
}

void MirrorRing::failed(std::size_t index, const Verdict& verdict, bool progressed, Clock::time_point now) {
  Mirror& mirror = mirrors_[index];
  mirror.reason = verdict.reason;
  mirror.trouble = verdict.trouble;
  mirror.failures = progressed ? 1 : mirror.failures + 1;
  favourite_ = progressed ? std::optional(index) : std::nullopt;
  if (verdict.retry_after > policy_.max_retry_after) {
    give_up(index, verdict.reason + ", and asks to wait for " + wait_text(verdict.retry_after), Trouble::kAsksToWait);
    return;
  }
  const bool unreachable = verdict.kind == Verdict::Kind::kUnreachable;
  const std::int64_t most = unreachable ? std::min(policy_.retries, policy_.unreachable_retries) : policy_.retries;
  if (verdict.kind == Verdict::Kind::kPermanent || mirror.failures > most) {
    give_up(index, verdict.reason, verdict.trouble);
    return;
  }
  mirror.ready_at = now + std::max<Clock::duration>(pause(mirror), verdict.retry_after);
}

void MirrorRing::give_up(std::size_t index, const std::string& reason, Trouble trouble) {
  Mirror& mirror = mirrors_[index];
  mirror.live = false;
  mirror.reason = reason;
  mirror.trouble = trouble;
  if (favourite_ == index) favourite_.reset();
}

void MirrorRing::again(std::size_t index, Clock::time_point now) {
  mirrors_[index].ready_at = now;
  favourite_ = index;
}

std::vector<FailedSource> MirrorRing::failed_sources() const {
  std::vector<FailedSource> failed;
  for (const Mirror& mirror : mirrors_) {
    if (!mirror.reason.empty()) failed.push_back({mirror.url, mirror.trouble, mirror.reason});
  }
  return failed;
}

}  // namespace bertprep
