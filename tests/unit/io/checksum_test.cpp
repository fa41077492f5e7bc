#include "io/digest.h"

#include <gtest/gtest.h>

namespace bertprep {
namespace {

TEST(Xxh3, IsTheOneThatOthersCompute) {
  EXPECT_EQ(xxh3_of(""), "2d06800538d394c2");
}

TEST(Xxh3, InPartsIsThatOfTheWhole) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += std::to_string(i * i);
  for (const std::size_t part : {std::size_t{1}, std::size_t{255}, std::size_t{1000}}) {
    Xxh3 sum;
    for (std::size_t at = 0; at < text.size(); at += part) sum.update(std::string_view(text).substr(at, part));
    EXPECT_EQ(sum.finish(), xxh3_of(text)) << part;
  }
  EXPECT_NE(xxh3_of(text), xxh3_of(text.substr(1)));
}

}  // namespace
}  // namespace bertprep
