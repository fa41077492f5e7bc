// `run --for` and `--to`: from a corpus to token sequences, behaving like a run that makes rows.
#include "e2e/e2e_test.h"
#include "support/json_lines.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class RunSequencesTest : public E2eTest {
 protected:
  // The sample, several times, so that there is time to be killed.
  Arguments command(const std::string& trainer, const std::string& name, int times = 1) {
    const std::string corpus = path("corpus-" + std::to_string(times) + ".wikitext");
    std::string text;
    for (int i = 0; i < times; ++i) text += read_bytes(sample("sample.wikitext"));
    if (!fs::exists(corpus)) folder().write(fs::path(corpus).filename().string(), text);
    return {"run",
            "--input",
            corpus,
            "--name",
            "c",
            "--sentences",
            "icu",
            "--vocab",
            vocab(),
            "--for",
            trainer,
            "-o",
            path(name),
            "-w",
            path(name + "-work"),
            "--train-shards",
            "3",
            "--test-shards",
            "1"};
  }
};

TEST_F(RunSequencesTest, SameBytesForAnyNumberOfThreads) {
  for (const std::string trainer : {"modernbert", "gpt2", "megatron-bert"}) {
    succeed(command(trainer, trainer + "-1") + Arguments{"-j", "1"});
    const FileTree one = read_results(path(trainer + "-1"));
    for (const std::string threads : {"2", "7"}) {
      succeed(command(trainer, trainer + "-" + threads) + Arguments{"-j", threads});
      EXPECT_EQ(difference(one, read_results(path(trainer + "-" + threads))), "") << trainer;
    }
  }
}

TEST_F(RunSequencesTest, AReportShowsSetsOfEveryFormat) {
  for (const std::string trainer : {"modernbert", "gpt2", "megatron-bert"}) {
    succeed(command(trainer, trainer));
    succeed({"report", path(trainer), "--rows", "3", "-o", path(trainer + ".html")});
    const std::string page = read_bytes(path(trainer + ".html"));
    EXPECT_THAT(page, AllOf(HasSubstr("Tokens in a row"), HasSubstr(": row "))) << trainer;
    std::size_t shown = 0;
    for (auto at = page.find(": row "); at != std::string::npos; at = page.find(": row ", at + 1)) ++shown;
    EXPECT_GE(shown, 3U) << trainer;
  }
}

TEST_F(RunSequencesTest, SetsWithoutSentencesNeedNoPunkt) {
  for (const std::string trainer : {"modernbert", "gpt2", "megatron-gpt"}) {
    succeed(command(trainer, trainer));
    Arguments without = command(trainer, trainer + "-without") + Arguments{"--offline"};
    const auto rules = std::find(without.begin(), without.end(), "--sentences");
    without.erase(rules, rules + 2);
    succeed(without);
    EXPECT_EQ(difference(read_results(path(trainer)), read_results(path(trainer + "-without"))), "") << trainer;
  }
}

TEST_F(RunSequencesTest, MakesTheSequencesOfItsTextShards) {
  const Finished run = succeed(command("modernbert", "root"));
  EXPECT_THAT(run.err, AllOf(ContainsRegex("sequences +64 +- +[0-9,]+ +64 "), HasSubstr("train: 58 articles, 58 rows"),
                             HasSubstr("sequences: " + path("root/c"))));
  const std::string shards = path("root-work/sharded_training_shards_3_test_shards_1_fraction_0.1_as_is/c/");
  succeed({"sequences", shards + "c_training_0.jsonl", shards + "c_training_1.jsonl", shards + "c_training_2.jsonl",
           shards + "c_test_0.jsonl", "--vocab", vocab(), "--name", "c", "--for", "modernbert", "-o", path("by-hand")});
  FileTree made = read_tree(path("root/c"));
  FileTree by_hand = read_tree(path("by-hand"));
  // The run's manifest says more about the text.
  const JsonValue manifest = parse_json(made.at("manifest.json"));
  EXPECT_EQ(manifest.at("recipe").at("train-shards").text, "3");
  EXPECT_EQ(manifest.at("recipe").at("text").text, "as-is");
  made.erase("manifest.json");
  by_hand.erase("manifest.json");
  EXPECT_EQ(difference(made, by_hand), "");
  EXPECT_THAT(succeed({"verify", path("root")}).err, HasSubstr(", sound"));
}

TEST_F(RunSequencesTest, ASecondCallFindsEverythingAlsoWithoutItsText) {
  const Arguments run = command("modernbert", "root") + Arguments{"--keep", ""};
  succeed(run);
  EXPECT_FALSE(
      fs::exists(path("root-work/sharded_training_shards_3_test_shards_1_fraction_0.1_as_is/c/c_test_0.jsonl")));
  const FileTree made = read_tree(path("root"));
  EXPECT_THAT(succeed(run).err, HasSubstr("nothing to do: all results are up to date"));
  EXPECT_EQ(difference(made, read_tree(path("root"))), "");
  // Lost files are made again, and the text for them.
  fs::remove(path("root/c/train/00001/shard.00000.mds"));
  const Finished lost = bertprep({"status", path("root"), "-w", path("root-work")});
  EXPECT_THAT(lost.out, ContainsRegex("sequences +damaged +3/4 .*is lost"));
  succeed(run);
  EXPECT_EQ(difference(made, read_tree(path("root"))), "");
}

TEST_F(RunSequencesTest, RowsAndSequencesOfOneLineShareTheirText) {
  succeed(command("modernbert", "root") + Arguments{"--text", "one-line"});
  Arguments rows = command("none", "rows");
  rows = rows + Arguments{"--phase", "1"};
  rows[14] = path("root-work");
  EXPECT_THAT(succeed(rows).err, ContainsRegex("format .*found\nshard .*found\ninstances "));
}

TEST_F(RunSequencesTest, StatusAndPlanSpeakOfSequences) {
  for (const auto& [trainer, tasks] : {std::pair("modernbert", "4/4"), std::pair("megatron-bert", "2/2")}) {
    const std::string root = trainer;
    Arguments plan = command(trainer, root) + Arguments{"--json"};
    plan[0] = "plan";
    const Finished events = succeed(plan);
    EXPECT_THAT(events.out, HasSubstr("\"stage\":\"sequences\""));
    succeed(command(trainer, root));
    const Finished done = succeed({"status", path(root), "-w", path(root + "-work")});
    EXPECT_THAT(done.out, ContainsRegex("shard +done +4/4 "));
    EXPECT_THAT(done.out, ContainsRegex(std::string("sequences +done +") + tasks + " +64 "));
    EXPECT_THAT(done.out, ContainsRegex("manifest +done +1/1 "));
    const JsonValue manifest = parse_json(read_bytes(path(root + "/c/manifest.json")));
    const std::uint64_t rows = std::stoull(manifest.at("splits").at("train").at("sequences").text) +
                               std::stoull(manifest.at("splits").at("validation").at("sequences").text);
    EXPECT_THAT(events.out, HasSubstr("\"rows\":" + std::to_string(rows)));
  }
  // A set not made by a run.
  const Arguments texts = make_text_shards();
  succeed(Arguments{"sequences"} + texts + Arguments{"--vocab", vocab(), "--for", "neobert", "-o", path("sets/set")});
  EXPECT_THAT(succeed({"status", path("sets")}).out, ContainsRegex("sequences +done +3/3 "));
}

TEST_F(RunSequencesTest, KilledAnywhereTheNextCallFinishes) {
  for (const std::string trainer : {"modernbert", "megatron-bert"}) {
    const auto run = [&](const std::string& name) { return command(trainer, name, 12) + Arguments{"-j", "1"}; };
    const std::chrono::microseconds whole = succeed(run(trainer)).duration;
    const FileTree expected = read_results(path(trainer));
    for (const int share : {3, 10, 30, 45, 60, 70, 80, 90, 97}) {
      const std::string name = trainer + "-" + std::to_string(share);
      RunOptions options{.signal = SIGKILL, .after = whole * share / 100};
      options.output = folder() / "out";
      bertprep(run(name), options);
      succeed(run(name));
      EXPECT_EQ(difference(expected, read_results(path(name))), "") << share;
    }
  }
}

TEST_F(RunSequencesTest, RefusesInvalidOptionsBeforeItStarts) {
  fail(2, command("modernbert", "root") + Arguments{"--phase", "1"}, {"--phase has no effect on token sequences"});
  fail(2, command("none", "root") + Arguments{"--blocks", "64"}, {"--blocks is for token sequences", "--for"});
  fail(2, command("modernbert", "root") + Arguments{"--vocab", sample("byte-pairs").string()}, {"--blocks"});
  EXPECT_FALSE(fs::exists(path("root")));
  EXPECT_FALSE(fs::exists(path("root-work")));
  succeed(command("modernbert", "root"));
  const FileTree made = read_tree(path("root"));
  fail(1, command("gpt2", "root"), {"was made with another recipe", "--force"});
  fail(1, command("modernbert", "root") + Arguments{"--train-shards", "2"}, {"part of other inputs", "--force"});
  EXPECT_EQ(difference(made, read_tree(path("root"))), "");
  folder().write("root/c/manifest.json", "{\"mine\": 1}");
  fail(1, command("modernbert", "root"), {"is not the manifest of a set of token sequences"});
  EXPECT_EQ(read_bytes(path("root/c/manifest.json")), "{\"mine\": 1}");
}

TEST_F(RunSequencesTest, ForceReplacesASet) {
  succeed(command("modernbert", "root") + Arguments{"--train-shards", "4"});
  succeed(command("gpt2", "root") + Arguments{"--force", "--blocks", "64"});
  succeed(command("gpt2", "fresh") + Arguments{"--blocks", "64"});
  EXPECT_EQ(difference(read_results(path("fresh")), read_results(path("root"))), "");
}

TEST_F(RunSequencesTest, TakesByteLevelPairsAndDryRuns) {
  const Arguments run =
      command("gpt2", "root") +
      Arguments{"--vocab", sample("byte-pairs").string(), "--blocks", "64", "--detokenize", "wikitext"};
  EXPECT_THAT(succeed(run + Arguments{"--dry-run"}).err,
              AllOf(HasSubstr("1,000 tokens"), HasSubstr("sequences hdf5, blocks of up to 64 tokens"),
                    Not(HasSubstr("phase"))));
  EXPECT_FALSE(fs::exists(path("root")));
  succeed(run);
  EXPECT_TRUE(fs::exists(path("root/c/tokenizer/merges.txt")));
  EXPECT_THAT(succeed(run).err, HasSubstr("nothing to do"));
}

}  // namespace
}  // namespace bertprep::test
