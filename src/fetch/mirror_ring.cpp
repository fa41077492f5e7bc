#include "fetch/mirror_ring.h"

#include <algorithm>

#include "base/number_text.h"

namespace bertprep {
namespace {

std::size_t begin_of_host(const std::string& url) {
  const std::size_t scheme = url.find("://");
  return scheme == std::string::npos ? 0 : scheme + 3;
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

// What a message says of each trouble, and what it advises.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kTroubles{{
    {"gone", ""},
    {"sends something else", ""},
    {"refuses us", "it may want a login, or block this network or program"},
    {"can't be used", "check the address, the certificate and your proxy"},
    {"busy", "run the same command after that"},
    {"unreachable", "check the network and its proxy, or try later"},
}};

bool say_the_same(const FailedSource& one, const FailedSource& other) {
  return one.trouble == other.trouble && one.reason == other.reason && host_of(one.url) == host_of(other.url);
}

std::string lines_of(std::vector<FailedSource> failed) {
  std::ranges::stable_sort(failed, {}, &FailedSource::trouble);
  std::string text;
  for (std::size_t i = 0; i < failed.size(); ++i) {
    const FailedSource& source = failed[i];
    const auto same = [&](const FailedSource& other) { return say_the_same(source, other); };
    if (std::any_of(failed.begin(), failed.begin() + static_cast<std::ptrdiff_t>(i), same)) continue;
    const auto& [what, advice] = kTroubles[static_cast<std::size_t>(source.trouble)];
    text += "\n  " + std::string(what) + ": " + source.url + ": " + source.reason;
    const auto others = static_cast<std::uint64_t>(std::ranges::count_if(failed, same)) - 1;
    if (others != 0)
      text += ", as " + grouped(others) + (others == 1 ? " other address" : " other addresses") + " there";
    if (!advice.empty()) text += " (" + std::string(advice) + ")";
  }
  return text;
}

bool has(const std::vector<FailedSource>& failed, Trouble trouble) {
  return std::ranges::find(failed, trouble, &FailedSource::trouble) != failed.end();
}

// "45 s", "12 min", "24 h", "365 days".
std::string wait_text(std::chrono::seconds wait) {
  constexpr std::array<std::pair<std::uint64_t, std::string_view>, 3> kUnits{
      {{86400, " days"}, {3600, " h"}, {60, " min"}}};
  const auto seconds = static_cast<std::uint64_t>(wait.count());
  for (const auto& [unit, name] : kUnits) {
    if (seconds >= 2 * unit) return grouped((seconds + unit / 2) / unit) + std::string(name);
  }
  return grouped(seconds) + " s";
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
  return {
      Verdict::Kind::kPermanent, refusal_text(outcome.reply), {}, is_gone(status) ? Trouble::kGone : Trouble::kRefused};
}

bool may_recover(const std::vector<FailedSource>& failed) {
  return has(failed, Trouble::kAsksToWait) || has(failed, Trouble::kUnreachable);
}

std::string in_one_line(const std::vector<FailedSource>& failed) {
  return joined(failed, "; ", [](const FailedSource& source) { return source.url + ": " + source.reason; });
}

void throw_failed(const std::string& what, const std::string& where, const std::string& hint,
                  const std::vector<FailedSource>& failed) {
  const std::string all = hint + (failed.empty() ? "" : ":") + lines_of(failed);
  if (has(failed, Trouble::kOtherData) && !has(failed, Trouble::kAsksToWait)) throw FormatError(what, where, all);
  throw IoError::of_servers(what, where, all, may_recover(failed));
}

std::string pause_text(std::chrono::nanoseconds pause) {
  constexpr std::chrono::seconds kShort{5};
  return pause < kShort ? "" : " in " + wait_text(std::chrono::duration_cast<std::chrono::seconds>(pause));
}

MirrorRing::MirrorRing(std::vector<std::string> urls, const RetryPolicy& policy)
    : policy_(policy), random_(std::random_device{}()) {
  for (std::string& url : urls) mirrors_.push_back({{std::move(url)}});
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
    if (!mirror.reason.empty()) failed.push_back(mirror);
  }
  return failed;
}

}  // namespace bertprep
