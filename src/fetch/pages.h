// Pages: small files of a server, read into memory one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/fetch/fetch.h"
#include "fetch/mirror_ring.h"

namespace bertprep {

class Pages {
 public:
  Pages(const FetchOptions& options, const RetryPolicy& policy, Progress& progress, bool use_proxy = true);

  // The page's bytes (at most 64 MiB); nothing if the server has none, can't be reached, or keeps failing after the
  // retries; failed() then has a further entry. Throws Cancelled.
  std::optional<std::string> get(const std::string& url);
  std::optional<std::string> get(const HttpRequest& request);
  // Whether the server has it, and its size: 0 if it doesn't say.
  std::optional<std::uint64_t> size_of(const std::string& url);
  const std::vector<FailedSource>& failed() const { return failed_; }
  // The last call's headers; and its body if the server refused it.
  const HttpReply& reply() const { return reply_; }
  const std::string& refusal() const { return refusal_; }
  void set_credentials(std::shared_ptr<const HttpCredentials> credentials) { credentials_ = std::move(credentials); }
  // Whether the last call failed because the host could not be reached.
  bool was_unreachable() const { return unreachable_; }

 private:
  std::optional<HttpReply> ask(HttpRequest request, std::string& body);

  HttpClient client_;
  RetryPolicy policy_;
  Progress& progress_;
  std::vector<FailedSource> failed_{};
  std::shared_ptr<const HttpCredentials> credentials_{};
  HttpReply reply_{};
  std::string refusal_{};
  bool unreachable_ = false;
};

}  // namespace bertprep
