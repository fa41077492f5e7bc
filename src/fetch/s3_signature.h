// Signatures of requests as S3 takes them: AWS Signature Version 4
// (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
//
// libcurl signs, too, but what it makes of an encoded query differs between 7.88 and 8.14, the versions of two releases
// of Debian, and the later one's signatures are refused.
#pragma once

#include <ctime>
#include <string>
#include <vector>

#include "fetch/http_client.h"

namespace bertprep {

// The headers to send with a request for `url`, without a body, by credentials that have keys. The URL must be encoded
// as RFC 3986 says, its query sorted by names, each with "=".
std::vector<std::string> s3_signature_headers(const HttpCredentials& credentials, const HttpRequest& request,
                                              std::time_t now);

}  // namespace bertprep
