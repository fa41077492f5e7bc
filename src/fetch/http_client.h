// HttpClient: transfers over HTTP(S), several at once in one thread. The only user of libcurl.
//
// Proxies come from the environment (http_proxy, https_proxy, all_proxy, no_proxy), certificates from CURL_CA_BUNDLE,
// SSL_CERT_FILE and SSL_CERT_DIR if set, else from the system.
#pragma once

#include <chrono>
#include <ctime>
#include <memory>

#include "base/library_version.h"
#include "bertprep/fetch/fetch.h"

namespace bertprep {

// What lets one server's files be read, and is in no message and no record. No other server gets it, whatever a
// redirect says.
struct HttpCredentials {
  std::string origin;   // "https://host/": the URLs that begin so
  std::string query{};  // the rest of each such URL, which may have a signature
  std::string bearer{};
  // For a signature as S3 takes it.
  std::string access_key{};
  std::string secret_key{};
  std::string session_token{};
  std::string region{};

  bool is_of(std::string_view url) const { return url.starts_with(origin); }
};

struct HttpRequest {
  std::string url;
  std::uint64_t offset = 0;            // first byte requested; 0: the whole file, without a Range header
  std::string if_range{};              // validator: the server sends the whole file if it has changed
  bool head = false;                   // headers only
  bool put = false;                    // without a body
  std::vector<std::string> headers{};  // "NAME: VALUE"
  std::shared_ptr<const HttpCredentials> credentials{};
};

// The final response's headers, after redirects.
struct HttpReply {
  int status = 0;                              // 200 for a file URL that can be read
  std::optional<std::uint64_t> length{};       // Content-Length
  std::optional<std::uint64_t> range_first{};  // Content-Range: bytes FIRST-…/TOTAL
  std::optional<std::uint64_t> range_total{};
  std::string etag{};
  std::string last_modified{};
  std::string content_encoding{};  // in lower case
  std::int64_t retry_after_seconds = 0;
  std::string link{};           // Link
  std::string error_code{};     // X-Error-Code: the Hub's
  std::string bucket_region{};  // x-amz-bucket-region

  // Whether the body is in an encoding, although every request asks for none.
  bool is_encoded() const { return !content_encoding.empty() && content_encoding != "identity"; }
};

// "sends it with Content-Encoding: gzip, which was not asked for".
std::string encoded_text(const HttpReply& reply);

std::string url_decoded(std::string_view text);

// The headers to send with a request without a body, by credentials that have keys: a signature as S3 takes it, AWS
// Signature Version 4 (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html). The URL must be
// encoded as RFC 3986 says, its query sorted by names, each with "=".
std::vector<std::string> s3_signature_headers(const HttpCredentials& credentials, const HttpRequest& request,
                                              std::time_t now);

class HttpReceiver {
 public:
  virtual ~HttpReceiver() = default;
  // Called once, with the headers of the final response, whatever its status. False ends the transfer. HttpClient::wait
  // passes on exceptions of these functions.
  virtual bool begin(const HttpReply& reply) = 0;
  // False ends the transfer.
  virtual bool bytes(std::string_view block) = 0;
};

enum class HttpEnd {
  kDone,         // the response is complete, with any status
  kStopped,      // the receiver ended it
  kUnreachable,  // no connection: name, route, port
  kBroken,       // it ended too soon, or stalled
  kRefused,      // a retry is pointless: certificate, protocol, URL
};

struct HttpOutcome {
  HttpEnd end = HttpEnd::kDone;
  std::string reason{};  // in words, unless kDone
  HttpReply reply{};
};

class HttpClient {
 public:
  struct Finished {
    HttpReceiver* receiver;
    HttpOutcome outcome;
  };

  // With --offline, it reads only file:// URLs.
  explicit HttpClient(FetchOptions options, bool use_proxy = true);
  // Ends current transfers without calling the receivers.
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // wait() calls `receiver`, which must live until wait() returns it as finished.
  void start(const HttpRequest& request, HttpReceiver& receiver);
  bool is_idle() const;
  // Transfers bytes for up to `longest`, less if a transfer ends; returns those that ended.
  std::vector<Finished> wait(std::chrono::milliseconds longest);

 private:
  struct State;
  void end_stalled(std::vector<Finished>& finished);
  std::unique_ptr<State> state_;
};

// The User-Agent header: name, version, purpose and contact, as Wikimedia's policy asks.
std::string user_agent(const std::string& contact);
// "404 Not Found".
std::string status_text(int status);
// The same, and what the Hub calls it: "403 Forbidden (GatedRepo)".
std::string refusal_text(const HttpReply& reply);

LibraryVersion version_of_curl(VersionOf wanted);

// The header lines of a response -> HttpReply.

// Reads one line, with or without its end. A status line ("HTTP/1.1 206 ...") begins a new response. A value that
// violates RFC 9110 counts as absent.
void add_header_line(std::string_view line, HttpReply& reply);

}  // namespace bertprep
