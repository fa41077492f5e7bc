#include "e2e/e2e_test.h"

namespace bertprep::test {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

namespace {

constexpr const char* kPhase1 =
    "hdf5_lower_case_1_seq_len_128_max_pred_20_masked_lm_prob_0.15_random_seed_12345_dupe_factor_5";

}  // namespace

Arguments operator+(Arguments left, const Arguments& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

Finished bertprep(const Arguments& arguments, const RunOptions& options) {
  RunOptions here = options;
  here.environment.emplace_back("BERT_PREP_WORKING_DIR", "");
  // No test may use the Internet: all requests except to loopback go to a closed port.
  for (const char* proxy : {"http_proxy", "https_proxy", "all_proxy"}) {
    here.environment.emplace_back(proxy, "http://127.0.0.1:9");
  }
  here.environment.emplace_back("no_proxy", "127.0.0.0/8,localhost");
  Finished finished = run_program(Arguments{BERTPREP_PROGRAM} + arguments, here);
  EXPECT_THAT(finished.err, Not(ContainsRegex("`[a-z][a-z0-9_]*`"))) << "a field that is not shown as its flag";
  return finished;
}

std::filesystem::path sample(const std::string& name) {
  return source_folder() / "samples" / name;
}

Finished E2eTest::succeed(const Arguments& arguments, const RunOptions& options) {
  Finished finished = bertprep(arguments, options);
  EXPECT_EQ(finished.exit_status, 0) << arguments.front() << ", signal " << finished.signal << "\n" << finished.err;
  return finished;
}

Finished E2eTest::fail(int status, const Arguments& arguments, const std::vector<std::string>& words,
                       const RunOptions& options) {
  Finished finished = bertprep(arguments, options);
  EXPECT_EQ(finished.exit_status, status) << "signal " << finished.signal << "\n" << finished.err;
  EXPECT_THAT(finished.err, HasSubstr("bertprep: error: "));
  for (const std::string& word : words) EXPECT_THAT(finished.err, HasSubstr(word));
  EXPECT_EQ(finished.out, "");
  return finished;
}

std::string E2eTest::vocab() {
  const std::string file = path("vocab.txt");
  if (!std::filesystem::exists(file)) {
    succeed(
        {"vocab", "train", sample("sample.wikitext"), "--format", "wikitext", "--vocab-size", "600", "-q", "-o", file});
  }
  return file;
}

Arguments E2eTest::run_on(const Arguments& input, const std::string& root, const std::string& work, int training,
                          int test) {
  return Arguments{"run", "--input"} + input +
         Arguments{"--name",
                   "sample",
                   "--sentences",
                   "icu",
                   "--vocab",
                   vocab(),
                   "--work",
                   path(work),
                   "-o",
                   path(root),
                   "--train-shards",
                   std::to_string(training),
                   "--test-shards",
                   std::to_string(test)};
}

Arguments E2eTest::run_sample(const std::string& root, const std::string& work) {
  return run_on({sample("sample.wikitext"), "--format", "wikitext"}, root, work, 4, 2);
}

std::vector<std::string> E2eTest::make_text_shards(const std::string& name) {
  const std::string articles = path(name + "-articles.txt");
  succeed({"format", sample("sample.jsonl"), "-q", "-o", articles});
  succeed({"shard", articles, "--name", "sample", "--sentences", "icu", "--train-shards", "2", "--test-shards", "1",
           "-q", "-o", path(name)});
  return {path(name + "/sample_training_0.txt"), path(name + "/sample_training_1.txt"),
          path(name + "/sample_test_0.txt")};
}

void E2eTest::make_blocks(int tokens, const std::string& name) {
  succeed({"run",
           "--input",
           sample("sample.wikitext").string(),
           "--name",
           "sample",
           "--vocab",
           sample("byte-pairs").string(),
           "--sentences",
           "icu",
           "--train-shards",
           "2",
           "--test-shards",
           "1",
           "--for",
           "gpt2",
           "--blocks",
           std::to_string(tokens),
           "-o",
           path(name),
           "-q"});
}

std::filesystem::path E2eTest::phase1(const std::string& root) const {
  return folder_ / root / kPhase1 / "sample";
}

FileTree read_results(const std::filesystem::path& root) {
  FileTree tree = read_tree(root);
  std::erase_if(tree, [](const auto& file) { return file.first.ends_with(".bertprep/places.json"); });
  return tree;
}

void expect_nothing_unfinished(const std::filesystem::path& folder) {
  for (const std::string& name : names_of(read_tree(folder))) {
    EXPECT_THAT(name, testing::Not(testing::EndsWith(".partial")));
    EXPECT_THAT(name, testing::Not(HasSubstr(".spool")));
  }
}

}  // namespace bertprep::test
