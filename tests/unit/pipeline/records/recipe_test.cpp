#include "pipeline/records/recipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "support/thrown.h"
#include "twins/tokenizer.h"
#include "unit/pipeline/small_run.h"
#include "wiki/clean/article.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;

std::string accents_of(bool lower_case, AccentStripping strip_accents) {
  PipelineOptions options;
  options.tokenizer = {.lower_case = lower_case, .strip_accents = strip_accents};
  const Json recipe = instance_recipe({}, options, make_vocab({"a"})).json();
  const Json* value = recipe.find("strip-accents");
  return value == nullptr ? "" : value->text();
}

std::string vocab_accents_of(bool lower_case, AccentStripping strip_accents) {
  VocabTask task;
  task.trainer.lower_case = lower_case;
  task.trainer.strip_accents = strip_accents;
  const Json recipe = vocab_recipe(task).json();
  const Json* value = recipe.find("strip-accents");
  return value == nullptr ? "" : value->text();
}

// Results made before the option existed keep their keys.
TEST(Recipe, NamesAccentsOnlyWhereTheyAreNotAsInTheReference) {
  for (const auto& accents : {accents_of, vocab_accents_of}) {
    for (const bool lower_case : {true, false}) EXPECT_EQ(accents(lower_case, AccentStripping::kAuto), "");
    EXPECT_EQ(accents(true, AccentStripping::kYes), "");
    EXPECT_EQ(accents(false, AccentStripping::kNo), "");
    EXPECT_EQ(accents(true, AccentStripping::kNo), "no");
    EXPECT_EQ(accents(false, AccentStripping::kYes), "yes");
  }
}

TEST(Recipe, HasTheVersionOfCleanText) {
  FormatTask task;
  task.parts.push_back({.inputs = {"dump.xml"}, .source = {.format = InputFormat::kMediawiki}, .wiki = {}});
  EXPECT_EQ(format_recipe(task).json().find("clean-text"), nullptr);
  task.parts.front().wiki.clean = true;
  const Json clean = format_recipe(task).json();
  EXPECT_EQ(clean.at("clean-text").text(), clean_text_version());
  EXPECT_THAT(clean_text_version(), testing::MatchesRegex("[0-9]+-[0-9a-f]+, ICU [0-9.]+"));
}

std::string refusal(const TempFolder& folder, const PipelineOptions& options) {
  return thrown_by<FormatError>([&] { small_build(folder, options); });
}

TEST(Recipe, AFinishedDatasetIsNotMixedWithOtherAccents) {
  const TempFolder folder;
  PipelineOptions options = small_options(folder);
  small_build(folder, options);
  options.tokenizer.strip_accents = AccentStripping::kYes;
  EXPECT_EQ(refusal(folder, options), "nothing thrown") << "what auto does anyway";
  options.tokenizer.strip_accents = AccentStripping::kNo;
  EXPECT_THAT(refusal(folder, options), HasSubstr("strip-accents was absent and is 'no'"));
  options.work.force = true;
  small_build(folder, options);
  options.work.force = false;
  EXPECT_EQ(refusal(folder, options), "nothing thrown");
  options.tokenizer.strip_accents = AccentStripping::kAuto;
  EXPECT_THAT(refusal(folder, options), HasSubstr("strip-accents was 'no' and is absent"));
}

}  // namespace
}  // namespace bertprep::test
