#include "fetch/http_client.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <exception>
#include <map>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "bertprep/version.h"
#include "fetch/functions.h"
#include "io/process.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

const CurlFunctions& curl() {
  static const CurlFunctions functions;
  return functions;
}

constexpr long kMaxRedirects = 10;
constexpr long kConnectSeconds = 30;

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

HttpEnd end_of(CURLcode code) {
  switch (code) {
    case CURLE_OK:
      return HttpEnd::kDone;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_FILE_COULDNT_READ_FILE:
      return HttpEnd::kUnreachable;
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_TOO_MANY_REDIRECTS:
      return HttpEnd::kRefused;
    default:
      return HttpEnd::kBroken;
  }
}

// "bytes 100-199/200", "bytes */200", "bytes 100-199/*".
void add_content_range(std::string_view value, HttpReply& reply) {
  if (!starts_in_any_case(value, "bytes")) return;
  value = trimmed(value.substr(5));
  const std::size_t slash = value.find('/');
  if (slash == std::string_view::npos) return;
  reply.range_total = number_in<std::uint64_t>(value.substr(slash + 1));
  reply.range_first = number_in<std::uint64_t>(value.substr(0, std::min(value.find('-'), slash)));
}

}  // namespace

// One curl handle with the data of its callbacks.
class HttpTransfer {
 public:
  HttpTransfer(const HttpRequest& request, const FetchOptions& options, bool use_proxy, HttpReceiver& receiver)
      : receiver_(&receiver), handle_(curl().easy_init()), agent_(user_agent(options.contact)) {
    if (handle_ == nullptr) throw Error("libcurl can't start a transfer");
    set(CURLOPT_URL, request.url.c_str());
    set(CURLOPT_USERAGENT, agent_.c_str());
    set(CURLOPT_ERRORBUFFER, error_.data());
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, kMaxRedirects);
    set(CURLOPT_PROTOCOLS_STR, options.offline ? "file" : "http,https,file");
    // A transfer that began with a checked certificate must not continue without one.
    set(CURLOPT_REDIR_PROTOCOLS_STR, request.url.starts_with("https:") ? "https" : "http,https");
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    set(CURLOPT_CONNECTTIMEOUT, std::min<long>(kConnectSeconds, static_cast<long>(options.stall_seconds)));
    set(CURLOPT_TCP_KEEPALIVE, 1L);
    set(CURLOPT_BUFFERSIZE, 256L * 1024);
    set(CURLOPT_HEADERFUNCTION, &HttpTransfer::take_header);
    set(CURLOPT_HEADERDATA, static_cast<void*>(this));
    set(CURLOPT_WRITEFUNCTION, &HttpTransfer::take_bytes);
    set(CURLOPT_WRITEDATA, static_cast<void*>(this));
    set(CURLOPT_PRIVATE, static_cast<void*>(this));
    if (request.head) set(CURLOPT_NOBODY, 1L);
    // Without this, a server may choose.
    add_header("Accept-Encoding: identity");
    for (const std::string& header : request.headers) add_header(header);
    if (request.put) set(CURLOPT_CUSTOMREQUEST, "PUT");
    if (!use_proxy) set(CURLOPT_PROXY, "");
    if (request.credentials && request.credentials->is_of(request.url)) set_credentials(request);
    if (request.offset != 0) {
      range_ = std::to_string(request.offset) + "-";
      set(CURLOPT_RANGE, range_.c_str());
      if (!request.if_range.empty()) add_header("If-Range: " + request.if_range);
    }
    set(CURLOPT_HTTPHEADER, headers_);
    set_certificates(options.verify_certificates);
  }
  ~HttpTransfer() {
    curl().easy_cleanup(handle_);
    curl().slist_free_all(headers_);
  }
  HttpTransfer(const HttpTransfer&) = delete;
  HttpTransfer& operator=(const HttpTransfer&) = delete;

  CURL* handle() const { return handle_; }
  HttpReceiver& receiver() const { return *receiver_; }
  bool is_stalled(std::chrono::seconds longest) const { return Clock::now() - last_data_ >= longest; }

  // How it ended. Rethrows the receiver's exception.
  HttpOutcome finish(CURLcode code) {
    // Announces a response without a body. One that ended with an error is incomplete, but its headers count.
    if (!announced_ && (code == CURLE_OK || reply_.status != 0) && !is_redirect(reply_.status)) announce();
    if (thrown_) std::rethrow_exception(thrown_);
    if (stopped_) return {HttpEnd::kStopped, "", reply_};
    if (code == CURLE_OK) return {HttpEnd::kDone, "", reply_};
    std::string reason = error_[0] != '\0' ? std::string(error_.data()) : std::string(curl().easy_strerror(code));
    while (reason.ends_with('\n')) reason.pop_back();
    return {end_of(code), std::move(reason), reply_};
  }

 private:
  using Clock = std::chrono::steady_clock;

  template <class Value>
  void set(CURLoption option, Value value) {
    curl().easy_setopt(handle_, option, value);
  }

  void add_header(const std::string& line) { headers_ = curl().slist_append(headers_, line.c_str()); }

  void set_credentials(const HttpRequest& request) {
    const HttpCredentials& credentials = *request.credentials;
    if (!credentials.query.empty()) set(CURLOPT_URL, (request.url + "?" + credentials.query).c_str());
    if (!credentials.bearer.empty()) {
      set(CURLOPT_HTTPAUTH, CURLAUTH_BEARER);
      set(CURLOPT_XOAUTH2_BEARER, credentials.bearer.c_str());
    }
    if (credentials.access_key.empty()) return;
    // A redirect would take the headers to wherever it leads.
    set(CURLOPT_FOLLOWLOCATION, 0L);
    // What is signed is what is sent: an object's name may have "..".
    set(CURLOPT_PATH_AS_IS, 1L);
    for (const std::string& header : s3_signature_headers(credentials, request, std::time(nullptr))) {
      add_header(header);
    }
  }

  void set_certificates(bool are_verified) {
    if (!are_verified) {
      set(CURLOPT_SSL_VERIFYPEER, 0L);
      set(CURLOPT_SSL_VERIFYHOST, 0L);
    }
    std::string file = environment_variable("CURL_CA_BUNDLE");
    if (file.empty()) file = environment_variable("SSL_CERT_FILE");
    if (!file.empty()) set(CURLOPT_CAINFO, file.c_str());
    const std::string folder = environment_variable("SSL_CERT_DIR");
    if (!folder.empty()) set(CURLOPT_CAPATH, folder.c_str());
  }

  // An exception must not pass through libcurl: it is kept, and the transfer ended.
  template <class Call>
  bool guarded(const Call& call) {
    try {
      if (call()) return true;
      stopped_ = true;
    } catch (...) {
      thrown_ = std::current_exception();
    }
    return false;
  }

  bool announce() {
    if (announced_) return true;
    announced_ = true;
    if (reply_.status == 0) {  // a file URL
      reply_.status = 200;
      curl_off_t length = -1;
      curl().easy_getinfo(handle_, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
      if (length >= 0) reply_.length = static_cast<std::uint64_t>(length);
    }
    curl_off_t seconds = 0;
    curl().easy_getinfo(handle_, CURLINFO_RETRY_AFTER, &seconds);
    reply_.retry_after_seconds = seconds;
    return guarded([this] { return receiver_->begin(reply_); });
  }

  static std::size_t take_header(char* line, std::size_t size, std::size_t count, void* self) {
    auto* transfer = static_cast<HttpTransfer*>(self);
    transfer->last_data_ = Clock::now();
    add_header_line({line, size * count}, transfer->reply_);
    return size * count;
  }

  static std::size_t take_bytes(char* bytes, std::size_t size, std::size_t count, void* self) {
    auto* transfer = static_cast<HttpTransfer*>(self);
    const std::size_t total = size * count;
    const bool wanted = transfer->announce() && transfer->guarded([&] {
      return transfer->receiver_->bytes({bytes, total});
    });
    transfer->last_data_ = Clock::now();
    return wanted ? total : CURL_WRITEFUNC_ERROR;
  }

  HttpReceiver* receiver_;
  CURL* handle_;
  curl_slist* headers_ = nullptr;
  HttpReply reply_;
  std::string agent_;
  std::string range_;
  std::exception_ptr thrown_;
  std::array<char, CURL_ERROR_SIZE> error_{};
  bool announced_ = false;
  bool stopped_ = false;
  Clock::time_point last_data_ = Clock::now();
};

struct HttpClient::State {
  FetchOptions options;
  bool use_proxy;
  CURLM* handle = nullptr;
  std::vector<std::unique_ptr<HttpTransfer>> transfers{};
};

HttpClient::HttpClient(FetchOptions options, bool use_proxy)
    : state_(std::make_unique<State>(State{std::move(options), use_proxy})) {
  curl().global_init(CURL_GLOBAL_DEFAULT);
  state_->handle = curl().multi_init();
  if (state_->handle == nullptr) throw Error("libcurl can't start");
}

HttpClient::~HttpClient() {
  for (const auto& transfer : state_->transfers) curl().multi_remove_handle(state_->handle, transfer->handle());
  state_->transfers.clear();
  curl().multi_cleanup(state_->handle);
  curl().global_cleanup();
}

void HttpClient::start(const HttpRequest& request, HttpReceiver& receiver) {
  auto transfer = std::make_unique<HttpTransfer>(request, state_->options, state_->use_proxy, receiver);
  curl().multi_add_handle(state_->handle, transfer->handle());
  state_->transfers.push_back(std::move(transfer));
}

bool HttpClient::is_idle() const {
  return state_->transfers.empty();
}

// libcurl's own limit of speed looks at the last five seconds, and so ends a stalled transfer five seconds late.
void HttpClient::end_stalled(std::vector<Finished>& finished) {
  const std::chrono::seconds longest(state_->options.stall_seconds);
  const auto is_stalled = [&](const auto& transfer) { return transfer->is_stalled(longest); };
  for (auto place = state_->transfers.begin();
       (place = std::find_if(place, state_->transfers.end(), is_stalled)) != state_->transfers.end();) {
    const std::unique_ptr<HttpTransfer> transfer = std::move(*place);
    place = state_->transfers.erase(place);
    curl().multi_remove_handle(state_->handle, transfer->handle());
    HttpOutcome outcome = transfer->finish(CURLE_OPERATION_TIMEDOUT);
    if (outcome.end == HttpEnd::kBroken) outcome.reason = "no data for " + std::to_string(longest.count()) + " s";
    finished.push_back({&transfer->receiver(), std::move(outcome)});
  }
}

std::vector<HttpClient::Finished> HttpClient::wait(std::chrono::milliseconds longest) {
  int running = 0;
  curl().multi_perform(state_->handle, &running);
  if (running == static_cast<int>(state_->transfers.size())) {
    curl().multi_poll(state_->handle, nullptr, 0, static_cast<int>(longest.count()), nullptr);
    curl().multi_perform(state_->handle, &running);
  }
  std::vector<Finished> finished;
  int left = 0;
  while (const CURLMsg* message = curl().multi_info_read(state_->handle, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    CURL* const handle = message->easy_handle;
    const CURLcode code = message->data.result;
    const auto place = std::ranges::find(state_->transfers, handle, [](const auto& one) { return one->handle(); });
    const std::unique_ptr<HttpTransfer> transfer = std::move(*place);
    state_->transfers.erase(place);
    curl().multi_remove_handle(state_->handle, handle);
    finished.push_back({&transfer->receiver(), transfer->finish(code)});
  }
  end_stalled(finished);
  return finished;
}

std::string url_decoded(std::string_view text) {
  const auto digit = [](char c) -> int {
    const std::size_t place = std::string_view("0123456789abcdef").find(ascii_lower(c));
    return place == std::string_view::npos ? -1 : static_cast<int>(place);
  };
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_code = text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0;
    decoded += is_code ? static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2])) : text[i];
    if (is_code) i += 2;
  }
  return decoded;
}

std::string encoded_text(const HttpReply& reply) {
  return "sends it with Content-Encoding: " + reply.content_encoding + ", which was not asked for";
}

std::string user_agent(const std::string& contact) {
  const curl_version_info_data* version = curl().version_info(CURLVERSION_NOW);
  return std::string("bertprep/") + kVersion + " (text corpora for BERT pretraining" +
         (contact.empty() ? "" : "; " + contact) + ") libcurl/" + version->version;
}

std::string status_text(int status) {
  static const std::map<int, std::string> kNames = {{301, " Moved Permanently"},
                                                    {400, " Bad Request"},
                                                    {401, " Unauthorized"},
                                                    {403, " Forbidden"},
                                                    {404, " Not Found"},
                                                    {410, " Gone"},
                                                    {416, " Range Not Satisfiable"},
                                                    {429, " Too Many Requests"},
                                                    {500, " Internal Server Error"},
                                                    {502, " Bad Gateway"},
                                                    {503, " Service Unavailable"},
                                                    {504, " Gateway Timeout"}};
  const auto name = kNames.find(status);
  return std::to_string(status) + (name == kNames.end() ? "" : name->second);
}

std::string refusal_text(const HttpReply& reply) {
  return status_text(reply.status) + (reply.error_code.empty() ? "" : " (" + reply.error_code + ")");
}

LibraryVersion version_of_curl(VersionOf wanted) {
  if (wanted == VersionOf::kHeaders) return {"libcurl", LIBCURL_VERSION, {}};
  return {"libcurl", LIBCURL_VERSION, curl().version_info(CURLVERSION_NOW)->version};
}

void add_header_line(std::string_view line, HttpReply& reply) {
  if (starts_in_any_case(line, "http/")) {
    reply = HttpReply{};
    const std::size_t blank = line.find(' ');
    if (blank != std::string_view::npos)
      reply.status = static_cast<int>(number_in<std::uint64_t>(line.substr(blank + 1, 3)).value_or(0));
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string name = ascii_lower(trimmed(line.substr(0, colon)));
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (name == "content-length") reply.length = number_in<std::uint64_t>(value);
  if (name == "content-range") add_content_range(value, reply);
  if (name == "etag") reply.etag = value;
  if (name == "last-modified") reply.last_modified = value;
  if (name == "content-encoding") reply.content_encoding = ascii_lower(value);
  if (name == "link") reply.link = value;
  if (name == "x-error-code") reply.error_code = value;
  if (name == "x-amz-bucket-region") reply.bucket_region = value;
}

}  // namespace bertprep
