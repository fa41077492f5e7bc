// Pages: small files of a server, read into memory one at a time; and what they say of other files.
#pragma once

#include "fetch/mirror_ring.h"

namespace bertprep {

class Pages {
 public:
  Pages(const FetchOptions& options, const RetryPolicy& policy, Progress& progress, bool use_proxy = true);

  // The page's bytes (at most 64 MiB); nothing if the server has none, can't be reached, or keeps failing after the
  // retries; failed() then has a further entry. Throws Cancelled.
  std::optional<std::string> get(const HttpRequest& request);
  // Whether the server has it, and its size: 0 if it doesn't say.
  std::optional<std::uint64_t> size_of(const std::string& url);
  const std::vector<FailedSource>& failed() const { return failed_; }
  // The last call's headers; and its body if the server refused it.
  const HttpReply& reply() const { return reply_; }
  const std::string& refusal() const { return refusal_; }
  void set_credentials(std::shared_ptr<const HttpCredentials> credentials) { credentials_ = std::move(credentials); }
  // The files in `folder`, whose URL ends in a slash, with what the listing says about them; nothing if the folder has
  // no such list, or is not complete. Throws FormatError for a status that is not understood.
  std::optional<std::vector<CatalogueFile>> list(const std::string& folder, const Listing& listing);
  // Whether the last call failed because the host could not be reached.
  bool was_unreachable() const { return unreachable_; }

 private:
  std::optional<HttpReply> ask(HttpRequest request, std::string& body);
  void add_links(const std::string& folder, const std::string& page, const Listing& listing,
                 std::vector<CatalogueFile>& files);

  HttpClient client_;
  RetryPolicy policy_;
  Progress& progress_;
  std::vector<FailedSource> failed_{};
  std::shared_ptr<const HttpCredentials> credentials_{};
  HttpReply reply_{};
  std::string refusal_{};
  bool unreachable_ = false;
};

// Reads lines "HEX  NAME" or "HEX *NAME" of sha256sum and the like; the length of HEX tells the kind. Skips other
// lines. Adds to files of the same name, else at the end.
void add_sums(const std::string& text, std::vector<CatalogueFile>& files);

// The names that the links of a folder's HTML listing lead to, without a slash at the end, in their order.
std::vector<std::string> linked_names(const std::string& html);

}  // namespace bertprep
