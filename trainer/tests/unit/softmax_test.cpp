// The loops against plain versions in double.
#include "trainer/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "trainer/tests/unit/random_values.h"

namespace bertprep::test {
namespace {

TEST(Softmax, LossEqualsThePlainOne) {
  for (const std::size_t classes : {2, 3, 15, 16, 17, 100, 30528}) {
    for (const double scale : {0.01, 3.0, 60.0}) {
      auto logits = random_values(classes, scale, std::to_string(classes));
      const auto label = static_cast<std::int64_t>(classes / 2);
      const float largest = *std::max_element(logits.begin(), logits.end());
      std::vector<double> shares;
      for (const float logit : logits) shares.push_back(std::exp(static_cast<double>(logit) - largest));
      const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
      const double loss = std::log(sum) - (static_cast<double>(logits[classes / 2]) - largest);
      const auto predicted = std::max_element(logits.begin(), logits.end()) - logits.begin();
      const auto count = static_cast<std::int64_t>(classes);
      EXPECT_NEAR(softmax_loss_row_only(logits.data(), count, label).loss, loss, 1e-6 * (1 + loss));
      const RowLoss result = softmax_loss_row(logits.data(), count, label, 0.5F);
      EXPECT_NEAR(result.loss, loss, 1e-6 * (1 + loss));
      EXPECT_EQ(result.predicted, predicted);
      for (std::size_t i = 0; i < classes; ++i) {
        const double gradient = 0.5 * (shares[i] / sum - (i == classes / 2 ? 1 : 0));
        EXPECT_NEAR(logits[i], gradient, 2e-7 + 1e-6 * std::abs(gradient));
      }
    }
  }
}

TEST(Softmax, LossShowsNonFiniteNumbers) {
  for (const std::size_t place : {0, 5, 20}) {
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
      auto logits = random_values(21, 1, "1");
      logits[place] = bad;
      EXPECT_FALSE(std::isfinite(softmax_loss_row_only(logits.data(), 21, 3).loss));
    }
  }
}

TEST(Softmax, SharesAndTheirGradientEqualThePlainOnes) {
  for (const std::size_t count : {1, 5, 16, 31, 128, 4100}) {
    const auto scores = random_values(count, 5, std::to_string(count));
    auto added = random_values(count, 1, "98");
    if (count > 3) added[count / 3] = -10000;
    std::vector<double> plain;
    for (std::size_t i = 0; i < count; ++i) plain.push_back(std::exp(static_cast<double>(scores[i]) + added[i]));
    const double sum = std::accumulate(plain.begin(), plain.end(), 0.0);
    auto shares = scores;
    softmax_row(shares.data(), added.data(), static_cast<std::int64_t>(count));
    for (std::size_t i = 0; i < count; ++i) EXPECT_NEAR(shares[i], plain[i] / sum, 2e-6 * plain[i] / sum);
    if (count > 3) {
      EXPECT_EQ(shares[count / 3], 0);
    }
    auto gradient = random_values(count, 1, "99");
    double mean = 0;
    for (std::size_t i = 0; i < count; ++i) mean += plain[i] / sum * static_cast<double>(gradient[i]);
    const auto before = gradient;
    softmax_gradient_row(gradient.data(), shares.data(), static_cast<std::int64_t>(count));
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_NEAR(gradient[i], plain[i] / sum * (static_cast<double>(before[i]) - mean), 1e-6);
    }
  }
}

TEST(Softmax, WhatLiesFarBelowTheLargestIsZero) {
  for (float distance = 80; distance < 120; distance += 0.25F) {
    std::vector<float> values(17, 0.0F);
    values[3] = values[16] = -distance;
    softmax_row(values.data(), std::vector<float>(17, 0.0F).data(), 17);
    for (const std::size_t place : {3, 16}) EXPECT_EQ(values[place] == 0, distance > 87) << distance;
  }
}

}  // namespace
}  // namespace bertprep::test
