#include "quality/trainer_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bertprep::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(TrainerFilesTest, EachTrainerHasItsRule) {
  const std::string shard = "wiki_training_3.hdf5";
  for (const TrainerKind trainer : kRowTrainers) EXPECT_TRUE(takes_for_training(trainer, shard));
  EXPECT_TRUE(takes_for_training(TrainerKind::kNvidia, "training.md5"));
  EXPECT_FALSE(takes_for_training(TrainerKind::kNeuron, "wiki_training_3.h5"));
  EXPECT_FALSE(takes_for_training(TrainerKind::kBerttrain, "training-wiki_test_3.hdf5"));
  EXPECT_TRUE(takes_for_training(TrainerKind::kHabana, "training-wiki_test_3.hdf5"));
  EXPECT_TRUE(takes_for_training(TrainerKind::kHuggingFace, "part-3.hdf5"));
  EXPECT_FALSE(takes_for_training(TrainerKind::kHuggingFace, "wiki_test_3.hdf5"));
}

TEST(TrainerFilesTest, SplitsAreWordsThatAreSetOff) {
  EXPECT_THAT(splits_of("wiki_training_3.hdf5"), ElementsAre("train"));
  EXPECT_THAT(splits_of("test-corpus_training_3.hdf5"), ElementsAre("train", "test"));
  EXPECT_THAT(splits_of("latest_3.hdf5"), IsEmpty());
  EXPECT_THAT(splits_of("dev.hdf5"), ElementsAre("validation"));
  EXPECT_THAT(splits_of("mytrain.hdf5"), IsEmpty());
}

TEST(TrapsTest, EachHasItsOwnNameAndAFix) {
  std::vector<std::string_view> names;
  for (const TrapFacts& facts : all_traps()) {
    EXPECT_FALSE(facts.effects.empty() || facts.fix.empty()) << facts.name;
    EXPECT_THAT(names, testing::Not(testing::Contains(facts.name)));
    names.push_back(facts.name);
  }
  EXPECT_EQ(names.size(), Trap("no-line-breaks").number() + 1);
  EXPECT_EQ(facts_of(Trap("one-file")).name, "one-file");
  EXPECT_EQ(facts_of(Trap("visible-labels")).name, "visible-labels");
  EXPECT_EQ(facts_of(Trap("uneven-end")).name, "uneven-end");
  EXPECT_EQ(facts_of(Trap("no-line-breaks")).name, "no-line-breaks");
}

}  // namespace
}  // namespace bertprep::test
