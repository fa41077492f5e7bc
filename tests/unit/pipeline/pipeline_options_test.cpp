#include "bertprep/pipeline/pipeline_options.h"

#include <gmock/gmock.h>

#include "bertprep/base/error.h"
#include "pipeline/stages/loaded_stages.h"
#include "support/thrown.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;

std::string error_of(const PipelineOptions& options) {
  return thrown_by<ConfigError>([&] { options.validate_all(); });
}

TEST(PipelineOptionsTest, ALengthThatAPhaseWouldIgnoreIsRefused) {
  for (const Phase phase : {Phase::kPhase1, Phase::kPhase2, Phase::kBoth}) {
    PipelineOptions options;
    options.corpus.phase = phase;
    EXPECT_EQ(error_of(options), "nothing thrown");
    options.instances.seq_len = 256;
    EXPECT_THAT(error_of(options), HasSubstr("`seq_len` 256 works only with `phase` custom; set phase to custom"));
    options.instances.seq_len = 0;
    options.instances.max_predictions = 20;
    EXPECT_THAT(error_of(options), HasSubstr("`max_predictions` 20"));
  }
}

TEST(PipelineOptionsTest, LengthsOfThePhaseCustom) {
  PipelineOptions options;
  options.corpus.phase = Phase::kCustom;
  EXPECT_EQ(options.phases().at(0).seq_len, 128);
  EXPECT_EQ(options.phases().at(0).max_predictions, 20);
  options.instances.seq_len = 256;
  options.instances.max_predictions = 40;
  EXPECT_EQ(error_of(options), "nothing thrown");
  EXPECT_EQ(options.phases().at(0).seq_len, 256);
  EXPECT_EQ(options.phases().at(0).max_predictions, 40);
  options.instances.seq_len = 4;
  EXPECT_THAT(error_of(options), HasSubstr("`seq_len`"));
}

TEST(PipelineOptionsTest, RefusesOptionsThatTheSplitterIgnores) {
  for (const auto splitter : {SentenceRules::kIcu, SentenceRules::kLines}) {
    PipelineOptions options;
    options.sentences.rules = splitter;
    options.sentences.punkt = "punkt_tab/english";
    EXPECT_THAT(error_of(options), HasSubstr("`punkt` works only with `sentences` punkt"));
  }
  for (const auto splitter : {SentenceRules::kAuto, SentenceRules::kPunkt, SentenceRules::kLines}) {
    PipelineOptions options;
    options.sentences.rules = splitter;
    options.sentences.language = "de";
    EXPECT_THAT(error_of(options), HasSubstr("`language` works only with `sentences` icu"));
  }
}

TEST(PipelineOptionsTest, NamesMustBeFileNames) {
  for (const std::string& name : {std::string("a"), std::string("wikitext-2_v1.raw"), std::string("_x"),
                                  std::string("\xD0\xBA\xD0\xBD\xD0\xB8\xD0\xB3\xD0\xB8"), std::string(100, 'n')}) {
    EXPECT_NO_THROW(check_name(name)) << name;
  }
  const std::vector<std::pair<std::string, std::string>> wrong = {{"", "is empty"},
                                                                  {"a/b", "'/'"},
                                                                  {".hidden", "begins with '.'"},
                                                                  {"-rf", "begins with '-'"},
                                                                  {"a;b", "';'"},
                                                                  {"a b", "' '"},
                                                                  {"a\nb", "control character"},
                                                                  {"a\x7F", "control character"},
                                                                  {"\xFF\xFE", "not UTF-8"},
                                                                  {"a$b", "'$'"},
                                                                  {"a\"b", "'\"'"},
                                                                  {std::string(101, 'n'), "101 bytes"},
                                                                  {"a\\b", "'\\'"},
                                                                  {"a*", "'*'"},
                                                                  {std::string(201, 'n'), "201 bytes"}};
  for (const auto& [name, what] : wrong) {
    PipelineOptions options;
    options.corpus.name = name;
    EXPECT_THAT(error_of(options), HasSubstr("`name` ")) << name;
    EXPECT_THAT(error_of(options), HasSubstr(what)) << name;
    EXPECT_EQ(error_of(options).find('\n'), std::string::npos) << name;
  }
}

std::string shards_of(std::uint64_t articles, ShardingOptions options = {}) {
  const ShardingOptions known = resolve_sharding(options, articles);
  EXPECT_TRUE(known.is_resolved());
  return std::to_string(known.train_shards) + "+" + std::to_string(known.test_shards);
}

TEST(ShardingOptionsTest, EightArticlesMakeAShard) {
  EXPECT_EQ(shards_of(0), "1+1");
  EXPECT_EQ(shards_of(15), "1+1");
  EXPECT_EQ(shards_of(16), "1+1");
  EXPECT_EQ(shards_of(24), "2+1");
  EXPECT_EQ(shards_of(60), "6+1");
  EXPECT_EQ(shards_of(720), "81+9");
  EXPECT_EQ(shards_of(4095), "256+51");
  EXPECT_EQ(shards_of(4096), "256+256");
  EXPECT_EQ(shards_of(7'000'000), "256+256");
}

TEST(ShardingOptionsTest, TestShardsAreTheirFractionOfAllShards) {
  EXPECT_EQ(shards_of(800, {.test_fraction = 0}), "99+1");
  EXPECT_EQ(shards_of(800, {.test_fraction = 0.5}), "50+50");
  EXPECT_EQ(shards_of(800, {.test_fraction = 1}), "1+100");
}

TEST(ShardingOptionsTest, AGivenNumberStays) {
  EXPECT_EQ(shards_of(60, {.train_shards = 3}), "3+1");
  EXPECT_EQ(shards_of(60, {.test_shards = 5}), "6+5");
  EXPECT_EQ(shards_of(60, {.train_shards = 256, .test_shards = 256}), "256+256");
}

TEST(ShardingOptionsTest, ANoteTellsOtherNumbersThanTheReferences) {
  EXPECT_EQ(note_on_shards({}, 60),
            "60 articles make 6 training shards and 1 test shard, one for every 8; `train_shards` and `test_shards` "
            "set other numbers");
  EXPECT_THAT(note_on_shards({.train_shards = 3}, 60), HasSubstr("60 articles make 1 test shard,"));
  EXPECT_THAT(note_on_shards({}, 1), testing::StartsWith("1 article makes 1 training shard and 1 test shard,"));
  EXPECT_EQ(note_on_shards({}, 4096), "");
  EXPECT_EQ(note_on_shards({.train_shards = 3, .test_shards = 1}, 60), "");
}

TEST(NoteOnSentences, LongArticlesOfOneSentence) {
  const std::vector<std::uint32_t> alone(60, 1), many(60, 12);
  EXPECT_THAT(note_on_sentences(alone, 60 * 3000), testing::HasSubstr("`sentences` icu `language` TAG"));
  EXPECT_THAT(note_on_sentences(alone, 60 * 3000), testing::HasSubstr("60 sentences in 60 articles, 3,000 bytes each"));
  EXPECT_EQ(note_on_sentences(alone, 60 * 200), "") << "short articles, such as titles";
  EXPECT_EQ(note_on_sentences(many, 60 * 3000), "");
  EXPECT_EQ(note_on_sentences({}, 0), "");
}

}  // namespace
}  // namespace bertprep::test
