#include "fetch/mirror_ring.h"

#include <gtest/gtest.h>

#include "bertprep/base/error.h"

namespace bertprep::test {
namespace {

using Clock = MirrorRing::Clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

const Verdict kTransient{Verdict::Kind::kTransient, "cut"};

RetryPolicy policy() {
  RetryPolicy policy;
  policy.retries = 2;
  policy.first_pause = milliseconds(1000);
  return policy;
}

TEST(MirrorRing, TheFirstThatIsReady) {
  MirrorRing ring({"a", "b"}, policy());
  const auto now = Clock::now();
  EXPECT_EQ(ring.choose(now)->index, 0U);
  ring.failed(0, kTransient, false, now);
  EXPECT_EQ(ring.choose(now)->index, 1U);
  EXPECT_EQ(ring.choose(now + seconds(2))->index, 0U);  // back to the better one
  ring.failed(1, kTransient, false, now);
  const auto choice = ring.choose(now);
  EXPECT_GE(choice->ready_at, now + milliseconds(500));
  EXPECT_LE(choice->ready_at, now + milliseconds(1500));
}

TEST(MirrorRing, PausesDouble) {
  MirrorRing ring({"a"}, policy());
  const auto now = Clock::now();
  ring.failed(0, kTransient, false, now);
  ring.failed(0, kTransient, false, now);
  EXPECT_GE(ring.choose(now)->ready_at, now + milliseconds(1000));
  EXPECT_LE(ring.choose(now)->ready_at, now + milliseconds(3000));
  ring.failed(0, kTransient, false, now);
  EXPECT_FALSE(ring.choose(now));
  EXPECT_EQ(in_one_line(ring.failed_sources()), "a: cut");
}

TEST(MirrorRing, OneThatGivesBytesIsStayedWith) {
  MirrorRing ring({"a", "b"}, policy());
  const auto now = Clock::now();
  for (int i = 0; i < 20; ++i) {
    ring.failed(1, kTransient, true, now);
    ASSERT_EQ(ring.choose(now)->index, 1U);
  }
}

TEST(MirrorRing, RefusalsAndWrongDataEndAMirror) {
  MirrorRing ring({"a", "b"}, policy());
  const auto now = Clock::now();
  ring.failed(0, {Verdict::Kind::kPermanent, "404"}, false, now);
  ring.give_up(1, "wrong", Trouble::kOtherData);
  EXPECT_FALSE(ring.choose(now + seconds(100)));
  EXPECT_EQ(in_one_line(ring.failed_sources()), "a: 404; b: wrong");
}

TEST(MirrorRing, RetryAfterIsKept) {
  MirrorRing ring({"a"}, policy());
  const auto now = Clock::now();
  ring.failed(0, {Verdict::Kind::kTransient, "429", seconds(30)}, false, now);
  EXPECT_EQ(ring.choose(now)->ready_at, now + seconds(30));
}

TEST(MirrorRing, OneThatAsksForMoreThanTenMinutesIsGivenUp) {
  MirrorRing ring({"a", "b"}, policy());
  const auto now = Clock::now();
  ring.failed(0, {Verdict::Kind::kTransient, "429", seconds(600)}, false, now);
  EXPECT_EQ(ring.live_count(), 2U);
  ring.failed(0, {Verdict::Kind::kTransient, "429", seconds(601)}, false, now);
  ring.failed(1, {Verdict::Kind::kTransient, "503", seconds(365 * 86400)}, false, now);
  EXPECT_FALSE(ring.choose(now));
  EXPECT_EQ(in_one_line(ring.failed_sources()),
            "a: 429, and asks to wait for 10 min; b: 503, and asks to wait for 365 days");
  EXPECT_TRUE(may_recover(ring.failed_sources()));
}

TEST(MirrorRing, WhatAStatusSaysOfItsServer) {
  const auto trouble = [](int status) {
    HttpOutcome outcome;
    outcome.reply.status = status;
    return judge(outcome).trouble;
  };
  for (const int status : {301, 404, 410}) EXPECT_EQ(trouble(status), Trouble::kGone) << status;
  for (const int status : {400, 401, 403, 407, 451}) EXPECT_EQ(trouble(status), Trouble::kRefused) << status;
  for (const int status : {408, 429, 500, 503}) EXPECT_EQ(trouble(status), Trouble::kUnreachable) << status;
  EXPECT_EQ(judge({HttpEnd::kUnreachable, "no name", {}}).trouble, Trouble::kUnreachable);
  EXPECT_EQ(judge({HttpEnd::kRefused, "certificate", {}}).trouble, Trouble::kUnusable);
}

// A source a line, what lasts first; addresses of a host that say the same share one.
TEST(FailedSources, AreRankedInTheMessage) {
  const std::vector<FailedSource> failed = {{"http://d/f", Trouble::kUnreachable, "no such host"},
                                            {"http://a/f", Trouble::kRefused, "403 Forbidden"},
                                            {"http://b/f", Trouble::kGone, "404 Not Found"},
                                            {"http://b/g", Trouble::kGone, "404 Not Found"}};
  try {
    throw_failed("could not be fetched", "f", "give a copy", failed);
  } catch (const IoError& error) {
    EXPECT_STREQ(error.what(),
                 "f: could not be fetched; give a copy:\n"
                 "  gone: http://b/f: 404 Not Found, as 1 other address there\n"
                 "  refuses us: http://a/f: 403 Forbidden (it may want a login, or block this network or program)\n"
                 "  unreachable: http://d/f: no such host (check the network and its proxy, or try later)");
    EXPECT_TRUE(error.is_transient());
  }
}

TEST(MirrorUrls, BasesComeFirst) {
  CatalogueFile file;
  file.name = "w.zip";
  file.mirrors = {{"https://h.org:8/a/w.zip?x=1"}, {"https://g.org/m.zip", "dir/w.txt"}};
  FetchOptions options;
  options.mirror = "http://127.0.0.1:1/base/,file:///mnt";
  std::vector<std::string> urls;
  for (const auto& mirror : mirrors_of(file, options)) urls.push_back(mirror.url + " " + mirror.member);
  const std::vector<std::string> expected = {"http://127.0.0.1:1/base/a/w.zip ",
                                             "http://127.0.0.1:1/base/h.org:8/a/w.zip ",
                                             "http://127.0.0.1:1/base/m.zip dir/w.txt",
                                             "http://127.0.0.1:1/base/g.org/m.zip dir/w.txt",
                                             "http://127.0.0.1:1/base/w.zip ",
                                             "file:///mnt/a/w.zip ",
                                             "file:///mnt/h.org:8/a/w.zip ",
                                             "file:///mnt/m.zip dir/w.txt",
                                             "file:///mnt/g.org/m.zip dir/w.txt",
                                             "file:///mnt/w.zip ",
                                             "https://h.org:8/a/w.zip?x=1 ",
                                             "https://g.org/m.zip dir/w.txt"};
  EXPECT_EQ(urls, expected);
}

}  // namespace
}  // namespace bertprep::test
