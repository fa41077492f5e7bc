#include "trainer/background.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace bertprep::test {
namespace {

TEST(Background, DoesEverythingInOrder) {
  std::vector<int> done;
  Background background;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 50; ++i) background.post([&done, i] { done.push_back(i); });
    background.wait();
    ASSERT_EQ(done.size(), 50U * static_cast<std::size_t>(round + 1));
  }
  for (std::size_t i = 0; i < done.size(); ++i) EXPECT_EQ(done[i], static_cast<int>(i % 50));
}

TEST(Background, HandsOnTheFirstExceptionAndDropsTheRest) {
  bool done = false;
  Background background;
  background.post([] { throw std::runtime_error("first"); });
  background.post([&done] { done = true; });
  try {
    background.wait();
    FAIL() << "nothing thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "first");
  }
  EXPECT_FALSE(done);
  background.post([&done] { done = true; });
  background.wait();
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace bertprep::test
