// A flag or a value of the configuration file counts as given, a default does not.
#include "e2e/e2e_test.h"
#include "support/json_lines.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class GivenOptionsTest : public E2eTest {
 protected:
  Arguments run(const Arguments& more) {
    return Arguments{"run", "--input",   sample("sample.wikitext"), "--vocab", vocab(), "--work", path("work"),
                     "-o",  path("root")} +
           more;
  }
  std::string config(const std::string& text) { return folder().write("config.json", text); }
  std::string text_shards(const std::string& numbers) {
    return path("work/sharded_" + numbers + "_fraction_0.1/sample");
  }
};

TEST_F(GivenOptionsTest, ALengthInTheFileCountsAsAFlagDoes) {
  const std::string file = config(R"({"seq-len": 256, "sentences": "icu"})");
  for (const Arguments& more : {Arguments{"--config", file}, Arguments{"--seq-len", "256"}}) {
    fail(2, run(more + Arguments{"--dry-run"}),
         {"--seq-len 256 works only with --phase custom", "set phase to custom"});
  }
  const Finished custom = succeed(run({"--config", file, "--phase", "custom", "--dry-run"}));
  EXPECT_THAT(custom.err, HasSubstr("phase     256 tokens, 20 predictions"));
}

TEST_F(GivenOptionsTest, ASplitterInTheFileIsNotOverridden) {
  Arguments input = {"run", "--vocab", vocab(), "--work", path("work"), "-o", path("root"), "--dry-run", "--input"};
  for (const std::string& shard : make_text_shards()) input.push_back(shard);
  EXPECT_THAT(succeed(input).err, HasSubstr("sentences lines"));
  const std::string file = config(R"({"sentences": "icu"})");
  EXPECT_THAT(succeed(input + Arguments{"--config", file}).err, HasSubstr("sentences icu"));
}

TEST_F(GivenOptionsTest, ANameInTheFileCounts) {
  const std::string file = config(R"({"name": "mine", "sentences": "icu", "phase": "1"})");
  succeed(run({"--config", file}));
  EXPECT_TRUE(fs::exists(phase1().parent_path() / "mine/mine_training_0.hdf5"));
}

TEST_F(GivenOptionsTest, RefusesIgnoredOptions) {
  fail(2, run({"--sentences", "icu", "--punkt", "x"}), {"--punkt works only with --sentences punkt"});
  fail(2, run({"--language", "de"}), {"--language works only with --sentences icu"});
  fail(2, run({"--from-file", "x"}), {"--from-file works only with a dataset"});
  fail(2, {"run", "wikitext-2", "--config", config(R"({"format": "jsonl"})"), "-o", path("root")},
       {"--format works only with --input"});
}

TEST_F(GivenOptionsTest, RefusesDownloadOptionsWithoutADownload) {
  fail(2, run({"--sentences", "icu", "--mirror", "https://example.org"}),
       {"--mirror has no effect", "all inputs are on this machine", "leave it out"});
  fail(2, run({"--sentences", "icu", "--retries", "1"}), {"--retries has no effect"});
  fail(2, run({"--mirror", "bogus://x"}), {"--mirror: 'bogus://x' is not a URL", "https://"});
  succeed(run({"--sentences", "icu", "--config", config(R"({"mirror": "https://example.org"})"), "--dry-run"}));
}

// Each option that belongs to a format, with an input of another format.
TEST_F(GivenOptionsTest, RefusesOptionsWithoutEffectOnTheFormat) {
  const std::string json = sample("sample.jsonl");
  const std::string wikitext = sample("sample.wikitext");
  const std::vector<std::pair<Arguments, std::string>> options = {{{"--encoding", "latin1"}, json},
                                                                  {{"--books-compat"}, json},
                                                                  {{"--keep-gutenberg"}, json},
                                                                  {{"--text-field", "body"}, wikitext},
                                                                  {{"--no-templates"}, wikitext},
                                                                  {{"--templates", path("t.xml")}, wikitext},
                                                                  {{"--clock", "2020-07-22T12:00:00"}, wikitext},
                                                                  {{"--clean"}, wikitext}};
  for (const auto& [option, input] : options) {
    const std::string format = input == json ? "jsonl" : "wikitext";
    const std::vector<std::string> words = {option.front() + " has no effect for the format " + format + ": it is for",
                                            "leave it out"};
    fail(2, Arguments{"format", input, "-o", path("out.txt")} + option, words);
    fail(2, Arguments{"run", "--input", input, "--vocab", vocab(), "-w", path("work"), "-o", path("root")} + option,
         words);
  }
  fail(2, {"vocab", "train", json, "--encoding", "latin1", "-o", path("v.txt")}, {"--encoding has no effect"});
  Arguments plan = run({"--text-field", "body"});
  plan[0] = "plan";
  fail(2, plan, {"--text-field has no effect for the format wikitext"});
  fail(2, run({"--text-field", "body", "--stage", "fetch"}), {"--text-field has no effect for the format wikitext"});
  succeed({"format", json, "--text-field", "text", "-o", path("out.txt")});
}

// Commands may share a file: an option without an effect in one of them is noted, unless it is the default.
TEST_F(GivenOptionsTest, ReportsSettingsWithoutEffect) {
  const std::string file = config(R"({"text-field": "body", "encoding": "auto", "clean": true})");
  const std::string err = succeed({"format", sample("sample.wikitext"), "--config", file, "-o", path("out.txt")}).err;
  EXPECT_THAT(err, HasSubstr("text-field in the configuration file has no effect for the format wikitext"));
  EXPECT_THAT(err, HasSubstr("clean in the configuration file has no effect"));
  EXPECT_THAT(err, testing::Not(HasSubstr("encoding")));
}

TEST_F(GivenOptionsTest, NamesAreRefusedAtTheStart) {
  for (const std::string name : {"a\nb", "\xFF", "a;b", "a/b"}) {
    for (const char* stage : {"", "fetch", "format", "finish"}) {
      Arguments command = run({"--name", name, "--sentences", "icu"});
      if (*stage != '\0') command = command + Arguments{"--stage", stage};
      fail(2, command, {"--name "});
    }
    Arguments command = run({"--name", name, "--sentences", "icu"});
    command[0] = "plan";
    fail(2, command, {"--name "});
    command.insert(command.begin() + 1, "slurm");
    command[0] = "submit";
    fail(2, command + Arguments{"--dry-run"}, {"--name "});
    fail(2, {"shard", sample("sample.jsonl"), "--name", name, "--sentences", "icu", "-o", path("sharded")},
         {"--name "});
  }
  fail(2, run({"--name", std::string(201, 'n')}), {"201 bytes"});
  EXPECT_FALSE(fs::exists(path("root")));
  EXPECT_FALSE(fs::exists(path("work")));
}

// The longest name leaves room for all suffixes.
TEST_F(GivenOptionsTest, TheLongestNameServesToTheEnd) {
  const std::string name(100, 'n');
  Arguments command =
      run({"--name", name, "--sentences", "icu", "--phase", "1", "--keep", "extracted,formatted,sharded"});
  succeed(command);
  succeed({"verify", path("root")});
}

TEST_F(GivenOptionsTest, NumbersOfShardsFollowTheArticles) {
  const Arguments command = run({"--sentences", "icu", "--phase", "1"});
  Arguments plan = command;
  plan[0] = "plan";
  EXPECT_THAT(succeed(plan).out, HasSubstr(" in 8, "));
  EXPECT_THAT(succeed(command + Arguments{"--dry-run"}).err,
              HasSubstr("shards    256 or fewer training, 256 or fewer"));
  EXPECT_THAT(succeed(command).err, HasSubstr("64 articles make 7 training shards and 1 test shard, one for every 8"));
  const JsonValue manifest = parse_json(read_bytes(phase1().parent_path() / "sample/manifest.json"));
  EXPECT_EQ(manifest.at("recipe").at("train-shards").text, "7");
  EXPECT_EQ(manifest.at("recipe").at("test-shards").text, "1");
  EXPECT_TRUE(fs::exists(text_shards("training_shards_7_test_shards_1") + "/sample_training_6.txt"));
  EXPECT_THAT(succeed(command).err, HasSubstr("nothing to do"));
  succeed({"verify", path("root")});
  succeed({"status", path("root"), "-w", path("work")});
  // A given number is kept, or refused.
  fail(1, run({"--sentences", "icu", "--phase", "1", "--name", "other", "--train-shards", "64"}),
       {"64 articles cannot fill 64 training shards and 1 test shard"});
}

// 0 is no length, also where an option that is not given has a default.
TEST_F(GivenOptionsTest, AZeroIsAValue) {
  const Arguments custom = run({"--phase", "custom", "--dry-run"});
  EXPECT_THAT(succeed(custom).err, HasSubstr("phase     128 tokens, 20 predictions"));
  for (const auto& more : {custom, run({"--dry-run"})}) {
    fail(2, more + Arguments{"--seq-len", "0"}, {"--seq-len is 0, it must be between 5 and 65535"});
    fail(2, more + Arguments{"--max-predictions", "0"}, {"--max-predictions is 0, it must be between 1 and 65535"});
    fail(2, more + Arguments{"--dupe-factor", "0"}, {"--dupe-factor is 0, it must be at least 1"});
  }
  fail(2, custom + Arguments{"--config", config(R"({"dupe-factor": 0})")}, {"config.json: --dupe-factor is 0"});
  // --print-config writes 0 for a length that is not given.
  const std::string printed = succeed(custom + Arguments{"--print-config"}).out;
  EXPECT_THAT(printed, HasSubstr("\"seq-len\": 0"));
  EXPECT_THAT(succeed(custom + Arguments{"--config", config(printed)}).err, HasSubstr("phase     128 tokens"));
}

TEST_F(GivenOptionsTest, AnEmptyTextIsNotLeftOut) {
  for (const char* option : {"--name", "--max-article", "--mirror"}) {
    fail(2, run({option, "", "--dry-run"}), {std::string(option) + ": is empty; give a value, or leave it out"});
  }
  fail(2, {"extract", sample("sample_wiki.xml"), "--page", ""}, {"--page: is empty"});
  succeed(run({"--keep", "", "--dry-run"}));  // a list of nothing
}

TEST_F(GivenOptionsTest, NumbersAsPeopleWriteThem) {
  const Arguments custom = run({"--phase", "custom", "--dry-run"});
  EXPECT_THAT(succeed(custom + Arguments{"--seq-len", "1k", "--memory", "4GiB"}).err, HasSubstr("1000 tokens"));
  fail(2, custom + Arguments{"--seq-len", "1x"},
       {"--seq-len: '1x' is not a whole number, it must be between 5 and 65535; write it like 30000, 30k or 1.5M"});
  fail(2, custom + Arguments{"--seq-len", "1M"}, {"--seq-len is 1000000, it must be between 5 and 65535"});
  fail(2, custom + Arguments{"--memory", "4Q"},
       {"--memory '4Q' is not a valid size; write it like 500K", "4GiB", "4GB"});
  fail(2, custom + Arguments{"--max-rejects", "1x"}, {"--max-rejects: '1x' is not a whole number; write it like"});
  succeed(custom + Arguments{"--max-rejects", "1k", "--seq-len", "0.5k"});
  fail(2, {"doctor", path("x"), "--world-size", "0"}, {"--world-size: is 0, it must be between 1 and 16777216"});
}

TEST_F(GivenOptionsTest, ShardAloneCountsTheArticlesToo) {
  std::string articles;
  for (int i = 0; i < 4096; ++i) articles += "Article " + std::to_string(i) + " is here. It is short.\n";
  const std::string many = folder().write("many.txt", articles);
  const Arguments shard = {"shard", many, "--name", "n", "--sentences", "icu", "-o", path("many")};
  EXPECT_EQ(succeed(shard + Arguments{"-q"}).err, "");
  EXPECT_TRUE(fs::exists(path("many/n_training_255.txt")));
  EXPECT_TRUE(fs::exists(path("many/n_test_255.txt")));
  const std::string few = folder().write("few.txt", articles.substr(0, articles.find("Article 60 ")));
  const Arguments some = {"shard", few, "--name", "n", "--sentences", "icu", "-o", path("few")};
  EXPECT_THAT(succeed(some).err, HasSubstr("60 articles make 6 training shards and 1 test shard"));
  EXPECT_TRUE(fs::exists(path("few/n_training_5.txt")));
  EXPECT_FALSE(fs::exists(path("few/n_training_6.txt")));
  EXPECT_THAT(succeed(some).err, HasSubstr("nothing to do"));
}

}  // namespace
}  // namespace bertprep::test
