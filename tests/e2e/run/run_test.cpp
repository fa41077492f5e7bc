// `run`: the whole job, its layout on disk, its summary and its ways of being called.
#include <map>
#include <sstream>

#include "e2e/e2e_test.h"
#include "support/json_lines.h"
#include "support/read_text.h"

namespace bertprep::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;
namespace fs = std::filesystem;

using RunTest = E2eTest;

std::vector<std::string> entries(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  return names;
}

TEST_F(RunTest, MakesTheLayoutThatUsersKnow) {
  succeed(run_sample());
  const std::string phase1 =
      "hdf5_lower_case_1_seq_len_128_max_pred_20_masked_lm_prob_0.15_random_seed_12345_dupe_factor_5";
  const std::string phase2 =
      "hdf5_lower_case_1_seq_len_512_max_pred_80_masked_lm_prob_0.15_random_seed_12345_dupe_factor_5";
  EXPECT_THAT(entries(path("root")), UnorderedElementsAre(phase1, phase2));
  for (const std::string& phase : {phase1, phase2}) {
    EXPECT_THAT(entries(folder() / "root" / phase), UnorderedElementsAre("sample", ".sample.bertprep"));
    EXPECT_THAT(entries(folder() / "root" / phase / "sample"),
                UnorderedElementsAre("manifest.json", "vocab.txt", "sample_training_0.hdf5", "sample_training_1.hdf5",
                                     "sample_training_2.hdf5", "sample_training_3.hdf5", "sample_test_0.hdf5",
                                     "sample_test_1.hdf5"));
  }
  const fs::path work = folder() / "work";
  EXPECT_THAT(entries(work / "formatted_one_article_per_line"),
              UnorderedElementsAre("sample_one_article_per_line.txt.zst",
                                   "sample_one_article_per_line.txt.zst.origins.jsonl.zst"));
  EXPECT_THAT(entries(work / "sharded_training_shards_4_test_shards_2_fraction_0.1" / "sample"),
              UnorderedElementsAre("sample_training_0.txt", "sample_training_1.txt", "sample_training_2.txt",
                                   "sample_training_3.txt", "sample_test_0.txt", "sample_test_1.txt"));
  expect_nothing_unfinished(folder().path());
}

TEST_F(RunTest, PutsItsWorkBesideRootByDefault) {
  const Arguments command = {"run",
                             "--input",
                             sample("sample.jsonl"),
                             "--name",
                             "s",
                             "--sentences",
                             "icu",
                             "--vocab",
                             vocab(),
                             "--phase",
                             "1",
                             "--train-shards",
                             "1",
                             "--test-shards",
                             "1"};
  succeed(command + Arguments{"-o", path("data/root")});
  EXPECT_TRUE(
      fs::exists(folder() / "data/bertprep-work/formatted_one_article_per_line/s_one_article_per_line.txt.zst"));
  // The variable that the tutorials set; run_program's caller clears it otherwise.
  const Finished elsewhere = run_program(Arguments{BERTPREP_PROGRAM} + command + Arguments{"-o", path("data/root2")},
                                         {.environment = {{"BERT_PREP_WORKING_DIR", path("elsewhere")}}});
  EXPECT_EQ(elsewhere.exit_status, 0) << elsewhere.err;
  EXPECT_TRUE(fs::exists(folder() / "elsewhere/formatted_one_article_per_line/s_one_article_per_line.txt.zst"));
}

TEST_F(RunTest, SumsUpEveryStage) {
  const std::string summary = succeed(run_sample()).err;
  EXPECT_THAT(summary, ContainsRegex("stage +articles +sentences +tokens +rows +bytes +seconds +MB/s"));
  EXPECT_THAT(summary, ContainsRegex("format +64 "));
  EXPECT_THAT(summary, ContainsRegex("shard +64 +[0-9]+ "));
  EXPECT_THAT(summary, ContainsRegex("instances +64 +[0-9]+ +[0-9,]+ +[0-9,]+ +[0-9.]+ [kM]B"));
  EXPECT_THAT(summary, HasSubstr("shards: " + phase1().string()));
}

TEST_F(RunTest, IsSilentWhenRequested) {
  const Finished finished = succeed(run_sample() + Arguments{"-q"});
  EXPECT_EQ(finished.out + finished.err, "");
}

TEST_F(RunTest, WritesAManifest) {
  succeed(run_sample());
  const JsonValue manifest = parse_json(read_bytes(phase1() / "manifest.json"));
  EXPECT_EQ(manifest.at("dataset").text, "sample");
  const JsonValue& recipe = manifest.at("recipe");
  EXPECT_EQ(recipe.at("seq-len").text, "128");
  EXPECT_EQ(recipe.at("random-seed").text, "12345");
  EXPECT_EQ(recipe.at("train-shards").text, "4");
  EXPECT_EQ(recipe.at("vocab-size").text, "600");
  EXPECT_THAT(recipe.at("sentences").text, HasSubstr("icu"));
  const JsonValue& shards = manifest.at("shards");
  ASSERT_EQ(shards.items.size(), 6U);
  for (const JsonValue& shard : shards.items) {
    EXPECT_EQ(shard.at("bytes").text, std::to_string(fs::file_size(phase1() / shard.at("file").text)));
    EXPECT_EQ(shard.at("sha256").text.size(), 64U);
  }
}

TEST_F(RunTest, EventsAreOneJsonObjectALine) {
  const std::string records =
      folder().write("r.jsonl", read_bytes(sample("sample.jsonl")) + "\n{\"no \\\"text\": \"\\u0001\"}\n");
  const Finished finished = succeed({"run", "--input", records, "--name", "s", "--sentences", "icu", "--vocab", vocab(),
                                     "--train-shards", "2", "--test-shards", "1", "-o", path("root"), "--json"});
  std::map<std::string, int> events;
  std::istringstream lines(finished.out);
  for (std::string line; std::getline(lines, line);) ++events[parse_json(line).at("event").text];
  EXPECT_EQ(events["stage"], 3) << finished.out;
  EXPECT_EQ(events["rejected"], 1) << finished.out;
  EXPECT_GE(events["begin"], 3);
  EXPECT_EQ(events["begin"], events["end"]);
}

TEST_F(RunTest, DryRunWritesNothing) {
  const Arguments command = run_sample();
  const FileTree before = read_tree(folder().path());
  const std::string plan = succeed(command + Arguments{"--dry-run"}).err;
  EXPECT_THAT(plan, HasSubstr("wikitext"));
  EXPECT_THAT(plan, HasSubstr("4 training, 2 test"));
  EXPECT_THAT(plan, HasSubstr("512 tokens, 80 predictions"));
  EXPECT_EQ(difference(before, read_tree(folder().path())), "");
  EXPECT_FALSE(fs::exists(folder() / "root"));
  EXPECT_FALSE(fs::exists(folder() / "work"));
}

TEST_F(RunTest, DryRunRefusesTheSameInput) {
  Arguments command = run_sample() + Arguments{"--dry-run"};
  fail(1, command + Arguments{"--sentences", "punkt", "--offline"}, {"--punkt"});
  fail(1, command + Arguments{"--vocab", path("absent.txt")}, {"absent.txt"});
}

TEST_F(RunTest, PrintedConfigurationIsReadBack) {
  const Arguments command = run_sample();
  const std::string config =
      succeed(command + Arguments{"--dupe-factor", "2", "--random-seed", "-3", "--print-config"}).out;
  EXPECT_EQ(parse_json(config).at("dupe-factor").text, "2");
  EXPECT_EQ(parse_json(config).at("sentences").text, "icu");
  EXPECT_FALSE(fs::exists(folder() / "root"));
  const std::string file = folder().write("config.json", config);
  const Arguments from_file = {"run", "--input", sample("sample.wikitext"), "-o", path("root"), "--work", path("work")};
  EXPECT_EQ(succeed(from_file + Arguments{"--config", file, "--print-config"}).out, config);

  succeed(from_file + Arguments{"--config", file, "--phase", "1"});
  EXPECT_THAT(entries(path("root")),
              UnorderedElementsAre("hdf5_lower_case_1_seq_len_128_max_pred_20_masked_lm_prob_0.15_random_seed_-3_"
                                   "dupe_factor_2"));
}

TEST_F(RunTest, FlagsHaveTheLastWordOverTheConfiguration) {
  const std::string file = folder().write("config.json", "{\"dupe-factor\": 2, \"lower-case\": false}");
  const std::string config =
      succeed(run_sample() + Arguments{"--config", file, "--dupe-factor", "3", "--print-config"}).out;
  EXPECT_EQ(parse_json(config).at("dupe-factor").text, "3");
  EXPECT_EQ(parse_json(config).at("lower-case").text, "false");
}

TEST_F(RunTest, WrongConfigurationIsUsage) {
  const Arguments command = run_sample();
  const auto with = [&](const std::string& json) {
    return command + Arguments{"--config", folder().write("config.json", json)};
  };
  fail(2, with("{\"dup-factor\": 2}"), {"config.json", "unknown option 'dup-factor'", "did you mean 'dupe-factor'?"});
  fail(2, with("{\"dupe-factor\": \"many\"}"), {"--dupe-factor", "'many'"});
  fail(2, with("{\"dupe-factor\": 2"), {"config.json"});
  fail(2, command + Arguments{"--config", path("absent.json")}, {"absent.json", "No such file"});
}

TEST_F(RunTest, TwiceFindsItsWork) {
  succeed(run_sample());
  const FileTree first = read_tree(folder().path());
  const std::string second = succeed(run_sample()).err;
  EXPECT_THAT(second, HasSubstr("nothing to do"));
  EXPECT_THAT(second, ContainsRegex("format +64 .*found\nshard +64 .*found\ninstances +64 .*found\n"));
  EXPECT_EQ(difference(first, read_tree(folder().path())), "");
}

TEST_F(RunTest, TakesTextShardsAsTheyAre) {
  const std::vector<std::string> shards = make_text_shards();
  succeed({"run",     "--input",    shards[0], shards[1],   "--format",       "sentences", "--name",        "s",
           "--vocab", vocab(),      "--phase", "1",         "--train-shards", "1",         "--test-shards", "1",
           "-o",      path("root"), "--work",  path("work")});
  EXPECT_EQ(read_text(path("work/formatted_one_article_per_line/s_one_sentence_per_line.txt.zst")),
            read_bytes(shards[0]) + read_bytes(shards[1]));
}

TEST_F(RunTest, ShardsOfAnotherRunAreRefused) {
  const Arguments phase = {"--phase", "1", "--train-shards"};
  succeed(run_sample() + phase + Arguments{"8"});
  const FileTree before = read_tree(path("root"));
  const Finished refused = fail(1, run_sample() + phase + Arguments{"4"},
                                {phase1().string(), "4 files of another run", "sample_training_", "--force"});
  EXPECT_EQ(difference(before, read_tree(path("root"))), "");
  succeed(run_sample() + phase + Arguments{"4", "--force"});
  succeed(run_sample("fresh", "fresh-work") + phase + Arguments{"4"});
  EXPECT_EQ(difference(read_results(path("root")), read_results(path("fresh"))), "");
}

TEST_F(RunTest, ForceLeavesTheFilesOfOthersAlone) {
  make_text_shards("text");
  folder().write("text/sample_two_training_7.txt", "Another data set's.\n\n");
  folder().write("text/sample_notes.txt", "Notes.\n");
  const std::string like_a_shard = folder().write("text/sample_training_7.txt", "Nobody here made it.\n\n");
  const Arguments shard = {
      "shard", path("text-articles.txt"), "--name", "sample",  "--sentences", "icu",       "--train-shards",
      "2",     "--test-shards",           "1",      "--force", "-o",          path("text")};
  fail(1, shard, {"sample_training_7.txt", "move it away"});
  EXPECT_TRUE(fs::exists(like_a_shard));
  fs::remove(like_a_shard);
  succeed(shard);
  EXPECT_TRUE(fs::exists(path("text/sample_two_training_7.txt")));
  EXPECT_TRUE(fs::exists(path("text/sample_notes.txt")));
}

}  // namespace
}  // namespace bertprep::test
