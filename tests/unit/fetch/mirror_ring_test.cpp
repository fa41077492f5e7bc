#include "fetch/mirror_ring.h"

#include <gtest/gtest.h>

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
  EXPECT_EQ(ring.reasons(), "a: cut");
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
  EXPECT_FALSE(ring.has_wrong_data());
  ring.give_up(1, "wrong", true);
  EXPECT_TRUE(ring.has_wrong_data());
  EXPECT_FALSE(ring.choose(now + seconds(100)));
  EXPECT_EQ(ring.reasons(), "a: 404; b: wrong");
}

TEST(MirrorRing, RetryAfterIsKept) {
  MirrorRing ring({"a"}, policy());
  const auto now = Clock::now();
  ring.failed(0, {Verdict::Kind::kTransient, "429", seconds(30)}, false, now);
  EXPECT_EQ(ring.choose(now)->ready_at, now + seconds(30));
}

TEST(MirrorRing, AVeryLongRetryAfterIsARefusalWhileAnotherMirrorIsLeft) {
  MirrorRing ring({"a", "b"}, policy());
  const auto now = Clock::now();
  ring.failed(0, {Verdict::Kind::kTransient, "429", seconds(86400)}, false, now);
  EXPECT_EQ(ring.live_count(), 1U);
  ring.failed(1, {Verdict::Kind::kTransient, "429", seconds(86400)}, false, now);
  EXPECT_EQ(ring.choose(now)->ready_at, now + seconds(600));
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
