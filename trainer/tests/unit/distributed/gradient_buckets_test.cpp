#include "trainer/distributed/gradient_buckets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "base/random.h"
#include "trainer/parameters.h"

namespace bertprep::test {
namespace {

TEST(GradientBuckets, TensorsLieInTheOrderOfTheBackwardPass) {
  const FlatPlaces places = flat_places({{10, true}, {16, true}, {1, false}}, {2, 0, 1});
  EXPECT_THAT(places.begins, testing::ElementsAre(16, 32, 0));
  EXPECT_EQ(places.values, 48);
}

TEST(GradientBuckets, BackwardOrderGoesFromTheHeadsToTheEmbeddings) {
  const auto specs = parameter_specs({.vocab_size = 96, .hidden_size = 32, .layers = 12, .attention_heads = 4});
  const auto order = backward_order(specs);
  ASSERT_EQ(order.size(), specs.size());
  EXPECT_THAT(specs[order.front()].name, testing::StartsWith("cls.seq_relationship"));
  EXPECT_EQ(specs[order.back()].name, "bert.embeddings.word_embeddings.weight");
  int layer = 11;
  for (const std::uint32_t i : order) {
    const std::string& name = specs[i].name;
    if (!name.starts_with("bert.encoder.layer.")) continue;
    const int own = std::stoi(name.substr(19));
    EXPECT_LE(own, layer);
    layer = own;
  }
  EXPECT_EQ(layer, 0);
}

// Every value of every run is in one bucket and in the part of the run's owner.
void expect_valid(const std::vector<UpdateRun>& runs, const FlatPlaces& places, std::size_t processes,
                  const BucketPlan& plan) {
  std::vector<int> owner_of_value;
  for (const GradientBucket& bucket : plan.buckets) {
    EXPECT_EQ(bucket.begin, owner_of_value.size());
    ASSERT_EQ(bucket.parts.size(), processes);
    for (std::size_t rank = 0; rank < processes; ++rank) {
      owner_of_value.insert(owner_of_value.end(), bucket.parts[rank], static_cast<int>(rank));
    }
    EXPECT_EQ(bucket.begin + bucket.count, owner_of_value.size());
  }
  ASSERT_EQ(owner_of_value.size(), static_cast<std::size_t>(places.values));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto begin = static_cast<std::size_t>(places.begins[runs[i].tensor] + runs[i].begin);
    for (std::size_t k = begin; k < begin + static_cast<std::size_t>(runs[i].count); ++k) {
      EXPECT_EQ(owner_of_value[k], static_cast<int>(plan.run_owners[i]));
    }
  }
}

TEST(GradientBuckets, ShareAllValues) {
  Random random("11");
  for (int round = 0; round < 100; ++round) {
    std::vector<TensorSize> tensors(1 + random.below(8));
    for (TensorSize& tensor : tensors) {
      tensor = {static_cast<std::int64_t>(1 + random.below(300)), random.below(2) == 0};
    }
    std::vector<std::uint32_t> order(tensors.size());
    std::iota(order.begin(), order.end(), 0U);
    random.shuffle(std::span(order));
    const FlatPlaces places = flat_places(tensors, order);
    const auto processes = static_cast<std::size_t>(1 + random.below(6));
    const auto runs = round % 2 == 0 ? runs_by_tensor(tensors, 32)
                                     : runs_by_partition(tensors, static_cast<std::int64_t>(processes), 32);
    expect_valid(runs, places, processes,
                 plan_buckets(runs, places, processes, static_cast<std::int64_t>(1 + random.below(400))));
  }
}

TEST(GradientBuckets, SharesAreAboutEqual) {
  const std::vector<TensorSize> tensors{{100'000, true}};
  const FlatPlaces places = flat_places(tensors, {0});
  const auto runs = runs_by_tensor(tensors, 1000);
  const BucketPlan plan = plan_buckets(runs, places, 4, 50'000);
  ASSERT_EQ(plan.buckets.size(), 2U);
  for (const std::size_t part : plan.buckets[0].parts) EXPECT_NEAR(static_cast<double>(part), 12'500, 1000);
}

}  // namespace
}  // namespace bertprep::test
