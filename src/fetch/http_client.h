// HttpClient: transfers over HTTP(S), several at once in one thread. The door of libcurl.
//
// Proxies come from the environment (http_proxy, https_proxy, all_proxy, no_proxy), certificates from CURL_CA_BUNDLE,
// SSL_CERT_FILE and SSL_CERT_DIR where they are set, else from the system.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/library_version.h"

namespace bertprep {

struct HttpSettings {
  std::string contact{};            // in the User-Agent
  std::int64_t stall_seconds = 60;  // without a byte, after which a transfer is given up
  bool verify_certificates = true;
  bool offline = false;  // file:// URLs alone are read
};

struct HttpRequest {
  std::string url;
  std::uint64_t offset = 0;  // first byte asked for; 0: the whole, without a Range header
  std::string if_range{};    // validator: the whole comes instead of the rest when the file is another one
  bool head = false;         // headers alone
};

// The final response's headers, after redirects.
struct HttpReply {
  int status = 0;                              // 200 for a file URL that can be read
  std::optional<std::uint64_t> length{};       // Content-Length
  std::optional<std::uint64_t> range_first{};  // Content-Range: bytes FIRST-…/TOTAL
  std::optional<std::uint64_t> range_total{};
  std::string etag{};
  std::string last_modified{};
  std::int64_t retry_after_seconds = 0;
};

class HttpReceiver {
 public:
  virtual ~HttpReceiver() = default;
  // Called once, with the headers of the final response, whatever its status. False ends the transfer. What these
  // functions throw comes out of HttpClient::wait.
  virtual bool begin(const HttpReply& reply) = 0;
  // False ends the transfer.
  virtual bool bytes(std::string_view block) = 0;
};

enum class HttpEnd {
  kDone,         // a response came whole; its status may be anything
  kStopped,      // the receiver ended it
  kUnreachable,  // no connection: name, route, port
  kBroken,       // it ended too soon, or stood still
  kRefused,      // no use in trying again: certificate, protocol, URL
};

struct HttpOutcome {
  HttpEnd end = HttpEnd::kDone;
  std::string reason{};  // in words, for other ends than kDone
  HttpReply reply{};
};

class HttpTransfer;

class HttpClient {
 public:
  struct Finished {
    HttpReceiver* receiver;
    HttpOutcome outcome;
  };

  explicit HttpClient(HttpSettings settings);
  // Ends what is under way without a call to the receivers.
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // `receiver` is called from within wait() until it is among the finished, and must live so long.
  void start(const HttpRequest& request, HttpReceiver& receiver);
  bool is_idle() const;
  // Moves bytes for up to `longest`, less when a transfer ends; gives those that ended.
  std::vector<Finished> wait(std::chrono::milliseconds longest);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// What the User-Agent header says: name, version, purpose, contact, as Wikimedia's policy asks.
std::string user_agent(const std::string& contact);
// "404 Not Found".
std::string status_text(int status);

LibraryVersion version_of_curl();

// The header lines of a response -> HttpReply.

// Takes one line, with or without its end. A status line ("HTTP/1.1 206 ...") begins a new response. A value that is
// not what RFC 9110 says counts as absent.
void add_header_line(std::string_view line, HttpReply& reply);

}  // namespace bertprep
