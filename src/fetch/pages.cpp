#include "fetch/pages.h"

#include <utility>

#include "bertprep/base/error.h"
#include "fetch/download.h"

namespace bertprep {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{64} << 20U;
constexpr std::chrono::milliseconds kLongestPageWait{200};

class Body final : public HttpReceiver {
 public:
  explicit Body(std::string& body) : body_(body) { body_.clear(); }
  bool begin(const HttpReply& reply) override {
    return (reply.status == 200 || reply.status >= 400) && !reply.is_encoded();
  }
  bool bytes(std::string_view block) override {
    body_ += block;
    return body_.size() <= kMaxBytes;
  }

 private:
  std::string& body_;
};

HttpSettings settings_of(const FetchOptions& options, bool use_proxy) {
  HttpSettings settings = http_settings(options);
  settings.use_proxy = use_proxy;
  return settings;
}

}  // namespace

Pages::Pages(const FetchOptions& options, const RetryPolicy& policy, Progress& progress, bool use_proxy)
    : client_(settings_of(options, use_proxy)), policy_(policy), progress_(progress) {}

std::optional<HttpReply> Pages::ask(HttpRequest request, std::string& body) {
  MirrorRing ring({request.url}, policy_);
  std::optional<Body> receiver;
  unreachable_ = false;
  request.credentials = credentials_;
  reply_ = {};
  while (const auto choice = ring.choose(MirrorRing::Clock::now())) {
    if (progress_.cancelled()) throw Cancelled();
    const bool ready = choice->ready_at <= MirrorRing::Clock::now();
    if (ready && client_.is_idle()) client_.start(request, receiver.emplace(body));
    for (const HttpClient::Finished& finished : client_.wait(kLongestPageWait)) {
      Verdict verdict = judge(finished.outcome);
      reply_ = finished.outcome.reply;
      if (verdict.kind == Verdict::Kind::kGood && finished.outcome.reply.is_encoded()) {
        verdict = {Verdict::Kind::kPermanent, encoded_text(finished.outcome.reply), {}, Trouble::kOtherData};
      }
      if (verdict.kind == Verdict::Kind::kGood && body.size() <= kMaxBytes) return finished.outcome.reply;
      unreachable_ = verdict.kind == Verdict::Kind::kUnreachable;
      if (verdict.kind == Verdict::Kind::kGood) {
        verdict = {Verdict::Kind::kPermanent, "is too long", {}, Trouble::kOtherData};
      }
      const auto now = MirrorRing::Clock::now();
      ring.failed(0, verdict, false, now);
      const auto next = ring.choose(now);
      const std::string pause = next ? pause_text(next->ready_at - now) : "";
      if (!pause.empty()) progress_.note(request.url + ": " + verdict.reason + "; trying it again" + pause);
    }
  }
  refusal_ = std::exchange(body, {});
  const std::vector<FailedSource> failed = ring.failed_sources();
  failed_.insert(failed_.end(), failed.begin(), failed.end());
  return std::nullopt;
}

std::optional<std::string> Pages::get(const std::string& url) {
  return get(HttpRequest{url});
}

std::optional<std::string> Pages::get(const HttpRequest& request) {
  std::string body;
  if (!ask(request, body)) return std::nullopt;
  return body;
}

std::optional<std::uint64_t> Pages::size_of(const std::string& url) {
  std::string body;
  HttpRequest request{url};
  request.head = true;
  const auto reply = ask(std::move(request), body);
  if (!reply) return std::nullopt;
  return reply->length.value_or(0);
}

}  // namespace bertprep
