#include "fetch/http_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bertprep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::time_t kDayOfTheExamples = 1'369'353'600;  // 2013-05-24T00:00:00Z
constexpr const char* kNoBody =
    "x-amz-content-sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

HttpCredentials example_keys() {
  HttpCredentials keys;
  keys.access_key = "AKIAIOSFODNN7EXAMPLE";
  keys.secret_key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
  keys.region = "us-east-1";
  return keys;
}

std::vector<std::string> headers_for(const HttpCredentials& keys, const std::string& url) {
  HttpRequest request;
  request.url = url;
  return s3_signature_headers(keys, request, kDayOfTheExamples);
}

// The example "GET Bucket (List Objects)" of Amazon's documentation.
TEST(S3Signature, IsThatOfTheDocumentation) {
  EXPECT_THAT(headers_for(example_keys(), "https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J"),
              ElementsAre("Authorization: AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/"
                          "aws4_request,SignedHeaders=host;x-amz-content-sha256;x-amz-date,Signature="
                          "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
                          "x-amz-date: 20130524T000000Z", kNoBody));
}

TEST(S3Signature, NamesTheHostAsItsHeaderDoes) {
  const auto plain = headers_for(example_keys(), "https://s3.example.org/bucket/key");
  EXPECT_EQ(headers_for(example_keys(), "https://s3.example.org:443/bucket/key"), plain);
  EXPECT_NE(headers_for(example_keys(), "https://s3.example.org:80/bucket/key"), plain);
  EXPECT_NE(headers_for(example_keys(), "http://s3.example.org:8080/bucket/key"),
            headers_for(example_keys(), "http://s3.example.org/bucket/key"));
  EXPECT_EQ(headers_for(example_keys(), "http://s3.example.org:80"),
            headers_for(example_keys(), "http://s3.example.org/"));
}

TEST(S3Signature, CoversTheSessionToken) {
  HttpCredentials keys = example_keys();
  keys.session_token = "token";
  const auto headers = headers_for(keys, "https://examplebucket.s3.amazonaws.com/");
  EXPECT_EQ(headers.back(), "x-amz-security-token: token");
  EXPECT_THAT(headers.front(), HasSubstr("host;x-amz-content-sha256;x-amz-date;x-amz-security-token,"));
}

TEST(S3Signature, CoversTheMethod) {
  HttpRequest request;
  request.url = "https://examplebucket.s3.amazonaws.com/key";
  const auto get = s3_signature_headers(example_keys(), request, kDayOfTheExamples);
  request.head = true;
  EXPECT_NE(s3_signature_headers(example_keys(), request, kDayOfTheExamples), get);
}

}  // namespace
}  // namespace bertprep
