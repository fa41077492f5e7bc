// The loops against plain versions in double.
#include "trainer/kernels.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "trainer/tests/unit/random_values.h"

namespace bertprep::test {
namespace {

TEST(Kernels, DropoutDependsOnPlaceAlone) {
  const std::vector<float> ones(10000, 1);
  std::vector<float> whole(ones.size());
  dropout_values(ones.data(), whole.data(), 10000, 0, 0.1, 77);
  std::vector<float> parts(ones.size());
  for (std::int64_t first = 0; first < 10000; first += 1234) {
    const std::int64_t count = std::min<std::int64_t>(1234, 10000 - first);
    dropout_values(ones.data() + first, parts.data() + first, count, first, 0.1, 77);
  }
  EXPECT_EQ(whole, parts);
  const auto kept = std::count_if(whole.begin(), whole.end(), [](float value) { return value != 0; });
  EXPECT_NEAR(static_cast<double>(kept), 9000, 150);
  EXPECT_FLOAT_EQ(*std::max_element(whole.begin(), whole.end()), 1 / 0.9F);
  std::vector<float> other(ones.size());
  dropout_values(ones.data(), other.data(), 10000, 0, 0.1, 78);
  EXPECT_NE(whole, other);
}

TEST(Kernels, SumsOfSquares) {
  for (const std::size_t count : {0, 1, 15, 16, 33, 1000}) {
    const auto values = random_values(count, 2, "4");
    double sum = 0;
    for (const float value : values) sum += static_cast<double>(value) * value;
    EXPECT_NEAR(sum_of_squares(values.data(), static_cast<std::int64_t>(count)), sum, 1e-12 * (1 + sum));
  }
}

}  // namespace
}  // namespace bertprep::test
