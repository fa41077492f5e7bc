#include "fetch/pages.h"

#include <algorithm>

#include "base/number_text.h"

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

// The digest in lines such as "MD5(NAME)= HEX" or "HEX  NAME".
std::string md5_in(const std::string& text) {
  constexpr std::size_t kDigits = 32;
  std::size_t count = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const bool is_hex = i < text.size() && std::string_view("0123456789abcdef").find(text[i]) != std::string_view::npos;
    if (!is_hex && count == kDigits) return text.substr(i - kDigits, kDigits);
    count = is_hex ? count + 1 : 0;
  }
  return {};
}

// The files of those jobs of dumpstatus.json that make article dumps and are done.
void add_done(const Json& status, std::vector<CatalogueFile>& files) {
  const Json* jobs = status.find("jobs");
  if (jobs == nullptr) return;
  for (const char* name :
       {"articlesmultistreamdumprecombine", "articlesmultistreamdump", "articlesdumprecombine", "articlesdump"}) {
    const Json* job = jobs->find(name);
    if (job == nullptr || job->find("files") == nullptr || job->at("status").text() != "done") continue;
    for (const auto& [file_name, facts] : job->at("files").members()) {
      files.push_back({file_name, {}, FileFacts::from_json(facts)});
    }
  }
}

bool is_hex(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

void add_sum(std::string_view hex, std::string name, std::vector<CatalogueFile>& files) {
  auto place = std::ranges::find(files, name, &CatalogueFile::name);
  if (place == files.end()) place = files.insert(place, {std::move(name)});
  for (const DigestKind kind : kDigestKinds) {
    if (hex.size() == digest_hex_characters(kind)) place->facts.set_digest(kind, std::string(hex));
  }
}

}  // namespace

Pages::Pages(const FetchOptions& options, const RetryPolicy& policy, Progress& progress, bool use_proxy)
    : client_(options, use_proxy), policy_(policy), progress_(progress) {}

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
      reply_ = finished.outcome.reply;
      Verdict verdict = judge(finished.outcome);
      unreachable_ = verdict.kind == Verdict::Kind::kUnreachable;
      if (verdict.kind == Verdict::Kind::kGood) {
        if (!reply_.is_encoded() && body.size() <= kMaxBytes) return reply_;
        verdict = {Verdict::Kind::kPermanent,
                   reply_.is_encoded() ? encoded_text(reply_) : "is too long",
                   {},
                   Trouble::kOtherData};
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

std::optional<std::vector<CatalogueFile>> Pages::list(const std::string& folder, const Listing& listing) {
  std::vector<CatalogueFile> files;
  bool is_listed = false;
  for (const std::string& name : listing.pages) {
    if (listing.form == Listing::Form::kNames) {
      if (const auto size = size_of(folder + name)) return std::vector{CatalogueFile{name, {}, {*size}}};
      continue;
    }
    const auto page = get({folder + name});
    if (!page) continue;
    // The file written last: all others exist if it does.
    if (listing.is_marked && !size_of(folder + kCompleteMark)) return std::nullopt;
    is_listed = true;
    if (listing.form == Listing::Form::kStatus) add_done(Json::parse(*page, name), files);
    if (listing.form == Listing::Form::kSums) add_sums(*page, files);
    if (listing.form == Listing::Form::kLinks) add_links(folder, *page, listing, files);
  }
  return is_listed ? std::optional(std::move(files)) : std::nullopt;
}

// Their sizes are asked of a marked folder, which has no digests.
void Pages::add_links(const std::string& folder, const std::string& page, const Listing& listing,
                      std::vector<CatalogueFile>& files) {
  std::vector<std::string> names = linked_names(page);
  std::ranges::sort(names);
  for (const std::string& name : names) {
    if (!listing.has(name)) continue;
    if (progress_.cancelled()) throw Cancelled();
    CatalogueFile& file = files.emplace_back(CatalogueFile{name});
    if (listing.is_marked) file.facts.size_bytes = size_of(folder + name).value_or(0);
    const std::string sum_name = name + ".md5";
    if (!std::ranges::binary_search(names, sum_name)) continue;
    file.facts.md5 = md5_in(get({folder + sum_name}).value_or(""));
    if (!file.facts.md5.empty()) continue;
    progress_.note(folder + sum_name + " gives no MD5; the listing of this server is not used");
    files.clear();
    return;
  }
}

void add_sums(const std::string& text, std::vector<CatalogueFile>& files) {
  for (std::string_view line : split(text, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos || !is_hex(line.substr(0, blank))) continue;
    const std::size_t name = line.find_first_not_of(" *", blank);
    if (name == std::string_view::npos) continue;
    const std::string_view path = line.substr(name);
    add_sum(line.substr(0, blank), std::string(path.substr(path.rfind('/') + 1)), files);
  }
}

std::vector<std::string> linked_names(const std::string& html) {
  std::vector<std::string> names;
  for (std::size_t at = html.find("href="); at != std::string::npos; at = html.find("href=", at)) {
    at += 5;
    const char quote = at < html.size() ? html[at] : '\0';
    if (quote != '"' && quote != '\'') continue;
    const std::size_t end = html.find(quote, at + 1);
    if (end == std::string::npos) break;
    std::string link = html.substr(at + 1, end - at - 1);
    link = link.substr(0, link.find_first_of("?#"));
    while (link.ends_with('/')) link.pop_back();
    link = link.substr(link.rfind('/') + 1);
    if (!link.empty() && std::ranges::find(names, link) == names.end()) names.push_back(link);
    at = end;
  }
  return names;
}

}  // namespace bertprep
