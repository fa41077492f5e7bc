#include "quality/text_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

// `count` digests, of which every `period`-th repeats the previous one.
std::vector<std::uint64_t> digests_with_repeats(std::size_t count, std::size_t period, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> digests;
  for (std::size_t i = 0; i < count; ++i) {
    digests.push_back(i % period == period - 1 ? digests.back() : random());
  }
  return digests;
}

TEST(DigestSample, IsExactForFewTexts) {
  DigestSample sample(100);
  for (const std::uint64_t digest : {7, 8, 7, 9, 7, 8}) sample.add(digest);
  EXPECT_EQ(sample.level(), 0);
  EXPECT_EQ(sample.sampled(), 6U);
  EXPECT_EQ(sample.repeated(), 3U);
  EXPECT_DOUBLE_EQ(sample.repeated_share(), 0.5);
}

TEST(DigestSample, OneTextManyTimesTakesOnePlace) {
  DigestSample sample(10);
  for (int i = 0; i < 1000; ++i) sample.add(4096);
  EXPECT_EQ(sample.level(), 0);
  EXPECT_EQ(sample.repeated(), 999U);
}

TEST(DigestSample, ManyTextsGiveTheShareOfAll) {
  DigestSample sample(4096);
  for (const std::uint64_t digest : digests_with_repeats(400'000, 10)) sample.add(digest);
  EXPECT_GT(sample.level(), 5);
  EXPECT_NEAR(sample.repeated_share(), 0.1, 0.02);
}

// For any division of a corpus into shards, their merged samples agree at the level kept by all.
TEST(DigestSample, ShardsTogetherFindWhatLiesInSeveral) {
  const std::vector<std::uint64_t> digests = digests_with_repeats(1000, 4);
  DigestSample whole(5000);
  for (const std::uint64_t digest : digests) whole.add(digest);
  DigestSample merged;
  for (std::size_t shard = 0; shard < 7; ++shard) {
    DigestSample part(5000);
    for (std::size_t i = shard; i < digests.size(); i += 7) part.add(digests[i]);
    merged.add(DigestSample::from_json(part.to_json()));
  }
  EXPECT_EQ(merged.repeated(), whole.repeated());
  EXPECT_EQ(merged.sampled(), 1000U);
}

TEST(DigestSample, PartsOfDifferentLevelsMeetAtTheHigherOne) {
  DigestSample small(64);
  DigestSample large(64);
  for (const std::uint64_t digest : digests_with_repeats(60, 3, 5)) small.add(digest);
  for (const std::uint64_t digest : digests_with_repeats(100'000, 3, 6)) large.add(digest);
  const int level = DigestSample::from_json(large.to_json()).level();
  DigestSample merged;
  merged.add(small);
  merged.add(DigestSample::from_json(large.to_json()));
  EXPECT_EQ(merged.level(), level);
  EXPECT_NEAR(merged.repeated_share(), 1.0 / 3, 0.2);
}

TEST(DigestSample, IsWrittenTheSameInAnyOrder) {
  std::vector<std::uint64_t> digests = digests_with_repeats(10'000, 5);
  const auto written = [&] {
    DigestSample sample(128);
    for (const std::uint64_t digest : digests) sample.add(digest);
    return sample.to_json().dump();
  };
  const std::string first = written();
  std::reverse(digests.begin(), digests.end());
  EXPECT_EQ(written(), first);
}

TEST(DigestSample, DamageIsAnError) {
  DigestSample sample;
  sample.add(5);
  const std::string json = sample.to_json().dump_line();
  const auto read = [](const std::string& text) { return DigestSample::from_json(Json::parse(text, "x")); };
  EXPECT_EQ(read(json).sampled(), 1U);
  EXPECT_THROW(read(R"({"level":0,"digests":"00000000000g","repeats":[]})"), FormatError);
  EXPECT_THROW(read(R"({"level":0,"digests":"0000","repeats":[]})"), FormatError);
  EXPECT_THROW(read(R"({"level":70,"digests":"","repeats":[]})"), FormatError);
  EXPECT_THROW(read(R"({"level":0,"digests":"000000000005","repeats":[[1,2]]})"), FormatError);
}

}  // namespace
}  // namespace bertprep
