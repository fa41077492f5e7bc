#include "pipeline/text_shards/shard_assignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

const ArticlePlaces kPlaces{{1, 0, 2, 1, 1}, {0, 0, 0, 30, 70}, {20, 90, 5}};
const std::uint64_t kFirsts[] = {0, 2, 2, 5};

TEST(AssignmentFile, ComesBackWhole) {
  const TempFolder temp;
  write_assignment(temp / "p", kPlaces, kFirsts);
  const AssignmentFile file(temp / "p");
  ASSERT_EQ(file.shards(), 3U);
  EXPECT_EQ(file.shard_bytes(0), 20U);
  EXPECT_EQ(file.shard_bytes(1), 90U);
  EXPECT_EQ(file.shard_bytes(2), 5U);
  std::vector<std::pair<std::uint32_t, std::uint64_t>> all;
  std::vector<std::size_t> sizes;
  for (std::size_t piece = 0; piece < 3; ++piece) {
    sizes.push_back(file.places_of_piece(piece).size());
    for (const auto& place : file.places_of_piece(piece)) all.emplace_back(place.shard, place.offset);
  }
  EXPECT_THAT(sizes, testing::ElementsAre(2, 0, 3));
  EXPECT_THAT(all, testing::ElementsAre(testing::Pair(1, 0), testing::Pair(0, 0), testing::Pair(2, 0),
                                        testing::Pair(1, 30), testing::Pair(1, 70)));
  EXPECT_THROW(file.places_of_piece(3), FormatError);
}

TEST(AssignmentFile, GivesTheArticlesOfAShardInTheirOrderThere) {
  const TempFolder temp;
  write_assignment(temp / "p", kPlaces, kFirsts);
  const AssignmentFile file(temp / "p");
  EXPECT_EQ(file.articles(), 5U);
  using Triple = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;
  std::vector<Triple> articles;
  for (const auto& placed : file.articles_of_shard(1)) articles.emplace_back(placed.article, placed.begin, placed.end);
  EXPECT_THAT(articles, testing::ElementsAre(Triple(0, 0, 30), Triple(3, 30, 70), Triple(4, 70, 90)));
  EXPECT_EQ(file.articles_of_shard(0).size(), 1U);
}

TEST(AssignmentFile, RefusesAnArticleAfterTheEndOfItsShard) {
  const TempFolder temp;
  ArticlePlaces places = kPlaces;
  places.offset.back() = 90;
  write_assignment(temp / "p", places, kFirsts);
  const AssignmentFile file(temp / "p");
  EXPECT_EQ(file.places_of_piece(0).size(), 2U);
  EXPECT_THROW(file.places_of_piece(2), FormatError);
}

TEST(AssignmentFile, RefusesTruncatedOrLongerFiles) {
  const TempFolder temp;
  write_assignment(temp / "p", kPlaces, kFirsts);
  const std::string bytes = read_file(temp / "p");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(AssignmentFile(temp.write("cut", bytes.substr(0, size))), FormatError) << size;
  }
  EXPECT_THROW(AssignmentFile(temp.write("long", bytes + "x")), FormatError);
}

// Whatever is wrong with it, nothing beyond its end is read.
TEST(AssignmentFile, DamageIsRefusedOrHarmless) {
  const TempFolder temp;
  write_assignment(temp / "p", kPlaces, kFirsts);
  const std::string bytes = read_file(temp / "p");
  std::mt19937 random(1);
  int refused = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 + random() % 255));
    try {
      const AssignmentFile file(temp.write("damaged", damaged));
      for (std::size_t piece = 0; piece < 3; ++piece) {
        for (const auto& place : file.places_of_piece(piece)) EXPECT_LT(place.shard, 3U);
      }
    } catch (const FormatError&) {
      ++refused;
    }
  }
  // The numbers of shards, pieces and articles, the first articles and the shards.
  EXPECT_GE(refused, (3 + 4) * 8 + 5 * 3);
}

}  // namespace
}  // namespace bertprep::test
