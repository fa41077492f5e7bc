// Random against calls recorded from CPython's random.Random: small, big and negative seeds.
#include "base/random.h"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "support/golden_data.h"

namespace bertprep::test {
namespace {

using RandomGolden = GoldenTest;

std::string shuffled(Random& random, std::size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 0);
  random.shuffle(std::span(values));
  std::string text;
  for (const int value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
  return text;
}

std::string drawn_between(Random& random, const std::string& bounds) {
  const std::size_t comma = bounds.find(',');
  const auto first = static_cast<std::uint32_t>(std::stoul(bounds.substr(0, comma)));
  const auto last = static_cast<std::uint32_t>(std::stoul(bounds.substr(comma + 1)));
  return std::to_string(random.between(first, last));
}

TEST_F(RandomGolden, DrawsWhatPythonDraws) {
  std::unique_ptr<Random> random;
  std::string seed;
  std::size_t calls = 0;
  for (const std::string& line : read_lines(goldens() / "vectors" / "rng.tsv")) {
    if (line.starts_with('#')) continue;
    const std::vector<std::string> cells = split_tabs(line);
    ASSERT_EQ(cells.size(), 4U) << line;
    if (cells[0] != seed) random = std::make_unique<Random>(seed = cells[0]);
    ++calls;
    SCOPED_TRACE(line);
    if (cells[1] == "random") {
      ASSERT_EQ(random->real(), std::stod(cells[3]));
    } else if (cells[1] == "getrandbits") {
      ASSERT_EQ(std::to_string(random->next_u32()), cells[3]);
    } else if (cells[1] == "randint") {
      ASSERT_EQ(drawn_between(*random, cells[2]), cells[3]);
    } else {
      ASSERT_EQ(cells[1], "shuffle");
      ASSERT_EQ(shuffled(*random, std::stoul(cells[2])), cells[3]);
    }
  }
  EXPECT_GE(calls, 500U);
}

}  // namespace
}  // namespace bertprep::test
