// Addresses as inputs, as a user gives them (tests/support/cloud_server.py).
#include <signal.h>

#include <algorithm>
#include <chrono>

#include "e2e/e2e_test.h"
#include "support/server_process.h"

namespace bertprep::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

class AddressTest : public E2eTest {
 protected:
  AddressTest() {
    fs::create_directories(folder() / "files/data");
    fs::copy_file(sample("sample.jsonl"), folder() / "files/data/sample.jsonl");
    server_ = std::make_unique<FaultServer>(folder() / "files", folder().path(), "cloud_server.py");
    options_.environment = {{"HOME", folder().path().string()},
                            {"HF_ENDPOINT", server_->url()},
                            {"AWS_ENDPOINT_URL", server_->url()},
                            {"AWS_ACCESS_KEY_ID", "AKIDEXAMPLE"},
                            {"AWS_SECRET_ACCESS_KEY", "secret/of+example"}};
  }

  Arguments run(const std::string& input, const std::string& root) {
    return run_on({input}, root, "work-" + root, 2, 1) + Arguments{"--phase", "1"};
  }

  std::size_t count_asked(const std::string& words) const {
    const std::vector<std::string> all = server_->requests();
    return static_cast<std::size_t>(
        std::ranges::count_if(all, [&](const std::string& one) { return one.find(words) != std::string::npos; }));
  }

  // All results but the manifest, which names the addresses.
  FileTree shards_of(const std::string& root) {
    FileTree tree = read_results(folder() / root);
    std::erase_if(tree, [](const auto& file) { return file.first.ends_with("manifest.json"); });
    return tree;
  }
  std::string manifest_of(const std::string& root) { return read_bytes(phase1(root) / "manifest.json"); }

  std::unique_ptr<FaultServer> server_;
  RunOptions options_;
};

TEST_F(AddressTest, GiveTheShardsOfTheFiles) {
  succeed(run(path("files/data/sample.jsonl"), "local"));
  const FileTree wanted = shards_of("local");
  for (const char* address : {"hf://datasets/org/set/data", "s3://signed/data/*.jsonl"}) {
    const std::string root = address[0] == 'h' ? "hub" : "s3";
    const Finished plan = succeed({"plan", "--input", address, "--vocab", vocab(), "--sentences", "icu", "-o",
                                   path(root), "-w", path("work-" + root)},
                                  options_);
    EXPECT_THAT(plan.out, HasSubstr("download "));
    EXPECT_FALSE(fs::exists(path("work-" + root)));
    const Finished first = succeed(run(address, root), options_);
    EXPECT_THAT(first.err, Not(HasSubstr("secret")));
    EXPECT_TRUE(shards_of(root) == wanted) << address;
  }
  EXPECT_THAT(manifest_of("hub"), HasSubstr("hf://datasets/org/set@" + std::string(40, 'a') + "/data"));
  EXPECT_THAT(manifest_of("s3"), HasSubstr("\"s3://signed/data/*.jsonl\""));
  EXPECT_THAT(manifest_of("local"), Not(HasSubstr("sources")));
  server_.reset();
  succeed(run("hf://datasets/org/set/data", "hub") + Arguments{"--offline"}, options_);
  EXPECT_TRUE(shards_of("hub") == wanted);
}

// One list, and of each task only the files of its pieces.
TEST_F(AddressTest, TasksOfAnArrayFetchTheirFiles) {
  const std::string text = read_bytes(path("files/data/sample.jsonl"));
  const std::size_t first = text.find('\n', text.size() / 3) + 1;
  const std::size_t second = text.find('\n', text.size() / 3 * 2) + 1;
  folder().write("files/parts/a.jsonl", text.substr(0, first));
  folder().write("files/parts/b.jsonl", text.substr(first, second - first));
  folder().write("files/parts/c.jsonl", text.substr(second));
  folder().write("files/parts/README.md", "A set.\n");
  succeed(run(path("files/parts"), "parts"));
  const std::string address = "hf://datasets/org/set/parts";
  const auto stage = [&](const char* name, const Arguments& more = {}) {
    succeed(run(address, "hub") + Arguments{"--stage", name} + more, options_);
  };
  stage("fetch", {"--piece-size", "1K"});
  EXPECT_EQ(count_asked("/resolve/"), 1U);  // tells the format
  const std::size_t lists = count_asked("/api/");
  stage("format", {"--array-task", "1", "--array-count", "3"});
  EXPECT_EQ(count_asked("/resolve/"), 2U);
  EXPECT_EQ(count_asked("b.jsonl"), 2U);  // with its redirection
  for (const char* task : {"0", "2"}) stage("format", {"--array-task", task, "--array-count", "3"});
  EXPECT_EQ(count_asked("/resolve/"), 3U);
  EXPECT_EQ(count_asked("/api/"), lists);
  stage("place");
  stage("shard", {"--array-task", "0", "--array-count", "1"});
  stage("instances", {"--array-task", "0", "--array-count", "1"});
  stage("finish");
  const std::string shard = "sample_training_0.hdf5";
  EXPECT_TRUE(read_bytes(phase1("hub") / shard) == read_bytes(phase1("parts") / shard));
  EXPECT_THAT(manifest_of("hub"), HasSubstr("\"files\": 3"));
  // The record has the digest of what the tasks fetched.
  const Finished again = succeed(run(address, "hub") + Arguments{"--format", "jsonl", "--json"}, options_);
  EXPECT_THAT(again.out, HasSubstr("\"stage\":\"format\",\"tasks_made\":0"));
  EXPECT_EQ(count_asked("/resolve/"), 3U);
}

TEST_F(AddressTest, TasksOfAnArrayExtractTheirDumps) {
  fs::create_directories(folder() / "files/wiki");
  for (const char* name : {"a.xml", "b.xml"}) {
    fs::copy_file(sample("sample_wiki.xml"), folder() / "files/wiki" / name);
  }
  const auto command = [&](const std::string& input, const std::string& root) {
    return run(input, root) + Arguments{"--format", "mediawiki", "--name", "wiki", "--keep", "extracted,formatted"};
  };
  succeed(command(path("files/wiki"), "local"));
  for (const char* stage : {"fetch", "format", "place", "shard", "instances", "finish"}) {
    Arguments arguments = command("hf://datasets/org/set/wiki", "hub") + Arguments{"--stage", stage};
    if (stage == std::string("fetch")) arguments = arguments + Arguments{"--piece-size", "1K"};
    succeed(arguments, options_);
  }
  EXPECT_TRUE(read_results(path("work-hub/extracted")) == read_results(path("work-local/extracted")));
  EXPECT_THAT(read_bytes(path("work-hub/extracted/wiki/AA/wiki_00")), HasSubstr("<doc id="));
  const Finished again = succeed(command("hf://datasets/org/set/wiki", "hub") + Arguments{"--json"}, options_);
  EXPECT_THAT(again.out, HasSubstr("\"stage\":\"extract\",\"tasks_made\":0"));
}

TEST_F(AddressTest, AreRemovedUnlessKept) {
  const Arguments command = run("s3://signed/data", "root") + Arguments{"--keep", "formatted"};
  succeed(command, options_);
  for (const auto& entry : fs::recursive_directory_iterator(path("work-root"))) {
    EXPECT_NE(entry.path().filename(), "sample.jsonl");
  }
}

TEST_F(AddressTest, AKilledFetchResumes) {
  std::string text(160'000, 'x');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i % 97 == 0 ? '\n' : 'a' + i * i % 23);
  folder().write("files/long.txt", text);
  const Arguments command{"fetch", "hf://datasets/org/slow/long.txt", "--folder", path("dl")};
  RunOptions killed = options_;
  killed.signal = SIGKILL;
  killed.after = std::chrono::milliseconds(1200);
  EXPECT_EQ(bertprep(command, killed).exit_status, -1);
  const Finished finished = succeed(command, options_);
  EXPECT_THAT(finished.err, HasSubstr("resuming"));
  EXPECT_TRUE(read_bytes(finished.out.substr(0, finished.out.find('\n'))) == text);
}

TEST_F(AddressTest, OnlyInputsMayBeSome) {
  fail(2, {"format", "gs://bucket/x", "-o", path("a.txt")}, {"none of https, hf or s3", "gsutil"});
  fail(2, {"format", "hf://datasets/org", "-o", path("a.txt")}, {"hf://datasets/ORG/NAME"});
  fail(2, {"format", sample("sample.jsonl").string(), "-o", "s3://bucket/x"}, {"aws s3 sync"});
  fail(2, {"run", "wikipedia:20231101.de", "-o", path("root")}, {"--input wikipedia:20231101.de"});
  fail(2, {"run", "--input", "wikipedia:de", "-o", path("root")}, {"20231101.*"});
  fail(2, {"format", sample("sample.jsonl").string(), "--retries", "1", "-o", path("a.txt")}, {"--retries"});
}

}  // namespace
}  // namespace bertprep::test
