#include "fetch/http_client.h"

#include <gtest/gtest.h>

namespace bertprep::test {
namespace {

HttpReply reply_of(std::initializer_list<const char*> lines) {
  HttpReply reply;
  for (const char* line : lines) add_header_line(line, reply);
  return reply;
}

TEST(HttpHeaders, OfAPart) {
  const HttpReply reply =
      reply_of({"HTTP/1.1 206 Partial Content\r\n", "CONTENT-RANGE:  bytes 100-199/300 \r\n", "etag: \"a:b\"\r\n",
                "Content-Length: 100\r\n", "Last-Modified: Wed, 01 Jul 2026 00:00:00 GMT\r\n", "\r\n"});
  EXPECT_EQ(reply.status, 206);
  EXPECT_EQ(reply.range_first, 100U);
  EXPECT_EQ(reply.range_total, 300U);
  EXPECT_EQ(reply.length, 100U);
  EXPECT_EQ(reply.etag, "\"a:b\"");
  EXPECT_EQ(reply.last_modified, "Wed, 01 Jul 2026 00:00:00 GMT");
}

TEST(HttpHeaders, ALaterResponseCountsAlone) {
  const HttpReply reply = reply_of({"HTTP/1.1 302 Found", "ETag: \"x\"", "Content-Length: 5", "HTTP/2 200"});
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.etag, "");
  EXPECT_FALSE(reply.length);
}

TEST(HttpHeaders, UnknownAndDamagedValues) {
  EXPECT_EQ(reply_of({"HTTP/1.1 416 x", "Content-Range: bytes */300"}).range_total, 300U);
  EXPECT_FALSE(reply_of({"HTTP/1.1 416 x", "Content-Range: bytes */300"}).range_first);
  EXPECT_FALSE(reply_of({"HTTP/1.1 206 x", "Content-Range: bytes 1-2/*"}).range_total);
  for (const char* line : {"Content-Range: pages 1-2/3", "Content-Range: bytes", "Content-Range:", "Content-Length: -1",
                           "Content-Length: 99999999999999999999999", "Content-Length: 1x", "nothing", ":", ""}) {
    const HttpReply reply = reply_of({"HTTP/1.1 200 x", line});
    EXPECT_FALSE(reply.length) << line;
    EXPECT_FALSE(reply.range_first) << line;
    EXPECT_FALSE(reply.range_total) << line;
  }
  EXPECT_EQ(reply_of({"HTTP/1.1"}).status, 0);
}

}  // namespace
}  // namespace bertprep::test
