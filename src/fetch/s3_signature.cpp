// AWS Signature Version 4. libcurl signs, too, but what it makes of an encoded query differs between 7.88 and 8.14, the
// versions of two releases of Debian, and the later one's signatures are refused.
#include <nettle/hmac.h>

#include "base/number_text.h"
#include "fetch/mirror_ring.h"

namespace bertprep {
namespace {

std::string hmac(const std::string& key, const std::string& text) {
  hmac_sha256_ctx context;
  nettle_hmac_sha256_set_key(&context, key.size(), reinterpret_cast<const std::uint8_t*>(key.data()));
  nettle_hmac_sha256_update(&context, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
  std::string code(SHA256_DIGEST_SIZE, '\0');
  nettle_hmac_sha256_digest(&context, code.size(), reinterpret_cast<std::uint8_t*>(code.data()));
  return code;
}

// As in the header Host: without the scheme's own port.
std::string named_host(const std::string& url) {
  std::string host = host_of(url);
  const std::string_view port = url.starts_with("https:") ? ":443" : ":80";
  if (host.ends_with(port)) host.resize(host.size() - port.size());
  return host;
}

}  // namespace

std::vector<std::string> s3_signature_headers(const HttpCredentials& credentials, const HttpRequest& request,
                                              std::time_t now) {
  const std::size_t sign = request.url.find('?');
  const std::string query = sign == std::string::npos ? "" : request.url.substr(sign + 1);
  const std::string time = utc_text(now, "%Y%m%dT%H%M%SZ");
  const std::string day = time.substr(0, 8);
  const std::string body = sha256_of("");
  std::string headers =
      "host:" + named_host(request.url) + "\nx-amz-content-sha256:" + body + "\nx-amz-date:" + time + "\n";
  std::string names = "host;x-amz-content-sha256;x-amz-date";
  if (!credentials.session_token.empty()) {
    headers += "x-amz-security-token:" + credentials.session_token + "\n";
    names += ";x-amz-security-token";
  }
  const std::string canonical = (request.head ? "HEAD\n" : "GET\n") + path_of(request.url) + "\n" + query + "\n" +
                                headers + "\n" + names + "\n" + body;
  const std::string scope = day + "/" + credentials.region + "/s3/aws4_request";
  const std::string text = "AWS4-HMAC-SHA256\n" + time + "\n" + scope + "\n" + sha256_of(canonical);
  std::string key = "AWS4" + credentials.secret_key;
  for (const std::string& part : {day, credentials.region, std::string("s3"), std::string("aws4_request")}) {
    key = hmac(key, part);
  }
  std::vector<std::string> signed_headers = {"Authorization: AWS4-HMAC-SHA256 Credential=" + credentials.access_key +
                                                 "/" + scope + ",SignedHeaders=" + names +
                                                 ",Signature=" + hex_of(hmac(key, text)),
                                             "x-amz-date: " + time, "x-amz-content-sha256: " + body};
  if (!credentials.session_token.empty()) {
    signed_headers.push_back("x-amz-security-token: " + credentials.session_token);
  }
  return signed_headers;
}

}  // namespace bertprep
