// Addresses as inputs, as a user gives them (tests/support/cloud_server.py).
#include <signal.h>

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

  std::unique_ptr<FaultServer> server_;
  RunOptions options_;
};

TEST_F(AddressTest, GiveTheShardsOfTheFiles) {
  succeed(run(path("files/data/sample.jsonl"), "local"));
  const FileTree wanted = read_results(folder() / "local");
  for (const char* address : {"hf://datasets/org/set/data", "s3://signed/data/*.jsonl"}) {
    const std::string root = address[0] == 'h' ? "hub" : "s3";
    const Finished plan = succeed({"plan", "--input", address, "--vocab", vocab(), "--sentences", "icu", "-o",
                                   path(root), "-w", path("work-" + root)},
                                  options_);
    EXPECT_THAT(plan.out, HasSubstr("download "));
    EXPECT_FALSE(fs::exists(path("work-" + root)));
    const Finished first = succeed(run(address, root), options_);
    EXPECT_THAT(first.err, Not(HasSubstr("secret")));
    EXPECT_TRUE(read_results(folder() / root) == wanted) << address;
  }
  server_.reset();
  succeed(run("hf://datasets/org/set/data", "hub") + Arguments{"--offline"}, options_);
  EXPECT_TRUE(read_results(folder() / "hub") == wanted);
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
  fail(2, {"format", sample("sample.jsonl").string(), "--retries", "1", "-o", path("a.txt")}, {"--retries"});
}

}  // namespace
}  // namespace bertprep::test
