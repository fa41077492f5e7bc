// Buckets of S3 and of what speaks its language: ListObjectsV2 in pages, requests signed by libcurl.
#include <algorithm>
#include <map>

#include "bertprep/base/error.h"
#include "fetch/address/address.h"
#include "fetch/address/s3_credentials.h"
#include "fetch/address/s3_listing.h"
#include "fetch/failed_sources.h"
#include "fetch/pages.h"
#include "io/process.h"

namespace bertprep {
namespace {

constexpr int kMostListings = 100'000;

std::string given_endpoint() {
  return first_variable({"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"});
}

// With a slash at the end. A certificate for *.s3.amazonaws.com does not name a bucket with a dot.
std::string bucket_url(const std::string& bucket, const std::string& region) {
  if (const std::string endpoint = given_endpoint(); !endpoint.empty()) return endpoint + "/" + bucket + "/";
  const std::string host = "s3." + region + (region.starts_with("cn-") ? ".amazonaws.com.cn" : ".amazonaws.com");
  return bucket.find('.') == std::string::npos ? "https://" + bucket + "." + host + "/"
                                               : "https://" + host + "/" + bucket + "/";
}

std::shared_ptr<const HttpCredentials> credentials_of(const S3User& user, const std::string& base) {
  HttpCredentials credentials;
  credentials.origin = base;
  credentials.access_key = user.access_key;
  credentials.secret_key = user.secret_key;
  credentials.session_token = user.session_token;
  credentials.region = user.region;
  return std::make_shared<const HttpCredentials>(std::move(credentials));
}

S3User user_with_region(const FetchJob& job) {
  S3User user = find_s3_user(job);
  if (user.region.empty()) user.region = "us-east-1";
  return user;
}

std::string remedy(const std::string& code, bool is_signed) {
  static const std::map<std::string, std::string> kRemedies = {
      {"NoSuchBucket", "check the bucket's name, and AWS_ENDPOINT_URL if it is not one of Amazon's"},
      {"SignatureDoesNotMatch", "the secret key is not that of the access key: check AWS_SECRET_ACCESS_KEY"},
      {"InvalidAccessKeyId", "there is no such access key: check AWS_ACCESS_KEY_ID, or AWS_PROFILE"},
      {"ExpiredToken", "get new keys, and run it again: what is here stays"},
      {"InvalidToken", "the session token is not that of the access key: check AWS_SESSION_TOKEN"},
      {"RequestTimeTooSkewed", "set this machine's clock"},
  };
  const auto place = kRemedies.find(code);
  if (place != kRemedies.end()) return place->second;
  return is_signed ? "these keys need s3:ListBucket and s3:GetObject for it; for a public bucket, set "
                     "AWS_NO_SIGN_REQUEST=YES"
                   : "it is not public: unset AWS_NO_SIGN_REQUEST, and give keys";
}

class Bucket {
 public:
  Bucket(const FetchJob& job, const Address& address) : job_(job), address_(address), user_(user_with_region(job)) {}

  std::vector<CatalogueFile> list() {
    const std::string prefix = address_.plain_path();
    std::vector<CatalogueFile> files;
    std::string token;
    for (int count = 0; count < kMostListings; ++count) {
      const S3Page page = get(prefix, token);
      for (const S3Object& object : page.objects) {
        if (object.key.ends_with('/') && object.size_bytes == 0) continue;  // what stands for a folder
        CatalogueFile& file = files.emplace_back();
        file.name = object.key;
        file.facts.size_bytes = object.size_bytes;
        file.mirrors = {{base() + url_encoded(object.key, true)}};
      }
      if (page.next.empty()) return files;
      token = page.next;
    }
    throw FormatError("lists objects without end", address_.text, "name a folder of it");
  }

  std::shared_ptr<const HttpCredentials> credentials() const { return credentials_of(user_, base()); }

 private:
  std::string base() const { return bucket_url(address_.place, user_.region); }

  S3Page get(const std::string& prefix, const std::string& token) {
    // In the order of their names, as the signature needs them.
    const std::string url = base() + "?" + (token.empty() ? "" : "continuation-token=" + url_encoded(token) + "&") +
                            "list-type=2&prefix=" + url_encoded(prefix);
    Pages pages(job_.options, job_.policy, job_.progress);
    pages.set_credentials(credentials());
    if (const auto xml = pages.get(url)) {
      S3Page page = parse_s3_page(*xml, address_.text);
      if (page.code.empty()) return page;
      throw IoError("S3 does not give it: " + page.code, address_.text, remedy(page.code, is_signed()));
    }
    const HttpReply& reply = pages.reply();
    const bool is_elsewhere = !reply.bucket_region.empty() && reply.bucket_region != user_.region;
    if (is_elsewhere && !has_moved_ && given_endpoint().empty()) {
      has_moved_ = true;
      user_.region = reply.bucket_region;
      return get(prefix, token);
    }
    if (reply.status < 300 || reply.status >= 500 || reply.status == 429) {
      throw IoError::of_servers("can't be listed: " + in_one_line(pages.failed()), address_.text,
                                "try again later, or check AWS_ENDPOINT_URL", bertprep::may_recover(pages.failed()));
    }
    std::string code;
    if (!pages.refusal().empty()) code = parse_s3_page(pages.refusal(), address_.text).code;
    const std::string what = "S3 does not give it: " + status_text(reply.status) + (code.empty() ? "" : " " + code);
    throw IoError(what, address_.text,
                  is_elsewhere ? "it is in the region " + reply.bucket_region + ": set AWS_REGION to that"
                               : remedy(code, is_signed()));
  }

  bool is_signed() const { return !user_.access_key.empty(); }

  const FetchJob& job_;
  const Address& address_;
  S3User user_;
  bool has_moved_ = false;
};

}  // namespace

std::shared_ptr<const HttpCredentials> s3_credentials(const FetchJob& job, const std::string& origin,
                                                      const std::string& region) {
  S3User user = find_s3_user(job);
  user.region = region;
  return credentials_of(user, origin);
}

RemoteFiles list_s3(const FetchJob& job, const Address& address) {
  Bucket bucket(job, address);
  RemoteFiles found{bucket.list(), {}, bucket.credentials()};
  const bool is_start = !found.files.empty();
  std::erase_if(found.files, [&](const CatalogueFile& file) { return !takes(address, file.name); });
  if (found.files.empty() && is_start) {
    throw IoError("there is no such object, and none below it; the names of others begin so", address.text,
                  "for those, give " + address.text + "*");
  }
  return found;
}

}  // namespace bertprep
