// `status`: the state of a run, seen by another process.
#include <chrono>
#include <map>
#include <sstream>

#include "e2e/e2e_test.h"
#include "support/json_lines.h"

namespace bertprep::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
namespace fs = std::filesystem;

class StatusProgramTest : public E2eTest {
 protected:
  Finished status(const Arguments& more = {}) {
    return bertprep(Arguments{"status", path("root"), "--work", path("work")} + more);
  }
};

TEST_F(StatusProgramTest, AFinishedRunIsDone) {
  succeed(run_sample());
  const FileTree before = read_tree(folder().path());
  const Finished done = status();
  EXPECT_EQ(done.exit_status, 0) << done.err;
  EXPECT_THAT(done.out, ContainsRegex("^sample\nstage +state +tasks +articles +rows +bytes\n"));
  EXPECT_THAT(done.out, ContainsRegex("format +done +1/1 +64 "));
  EXPECT_THAT(done.out, ContainsRegex("shard +done +6/6 +64 "));
  EXPECT_THAT(done.out, ContainsRegex("instances 128 +done +6/6 +64 +[0-9,]+ +[0-9.]+ [kM]B\n"));
  EXPECT_THAT(done.out, ContainsRegex("instances 512 +done +6/6 "));
  EXPECT_THAT(done.out, ContainsRegex("manifest +done +2/2 "));
  EXPECT_THAT(done.out, HasSubstr("bertprep verify " + path("root")));
  EXPECT_EQ(difference(before, read_tree(folder().path())), "");
}

TEST_F(StatusProgramTest, ALostShardIsNamed) {
  succeed(run_sample());
  fs::remove(phase1() / "sample_test_1.hdf5");
  const Finished lost = status();
  EXPECT_EQ(lost.exit_status, 1);
  EXPECT_THAT(lost.out, ContainsRegex("instances 128 +damaged +5/6 .*sample_test_1.hdf5 is lost"));
  EXPECT_THAT(lost.out, HasSubstr("run the same command again"));
  succeed(run_sample());
  EXPECT_EQ(status().exit_status, 0);
}

TEST_F(StatusProgramTest, AKilledRunIsInterrupted) {
  std::string corpus;
  for (int i = 0; i < 20; ++i) corpus += read_bytes(sample("sample.wikitext"));
  Arguments command = run_sample() + Arguments{"-j", "1"};
  command[2] = folder().write("corpus.wikitext", corpus);
  const std::chrono::microseconds whole = succeed(command).duration;
  Finished killed;
  for (auto after = whole / 2; after > whole / 32; after = after * 2 / 3) {
    fs::remove_all(folder() / "root");
    fs::remove_all(folder() / "work");
    killed = bertprep(command, {.signal = SIGKILL, .after = after});
    if (killed.signal == SIGKILL) break;
  }
  ASSERT_EQ(killed.signal, SIGKILL);
  const Finished interrupted = status();
  EXPECT_EQ(interrupted.exit_status, 1);
  EXPECT_THAT(interrupted.out, HasSubstr("not done; run the same command again"));
  EXPECT_THAT(interrupted.out, testing::Not(HasSubstr("running")));
  succeed(command);
  EXPECT_EQ(status().exit_status, 0);
}

TEST_F(StatusProgramTest, EventsAreJson) {
  succeed(run_sample());
  std::map<std::string, int> events;
  std::istringstream lines(status({"--json"}).out);
  for (std::string line; std::getline(lines, line);) {
    const JsonValue event = parse_json(line);
    ++events[event.at("event").text];
    EXPECT_EQ(event.at("state").text, "done") << line;
    EXPECT_EQ(event.at("dataset").text, "sample");
  }
  EXPECT_EQ(events["status"], 5);
  EXPECT_EQ(events["dataset"], 1);
}

TEST_F(StatusProgramTest, IsSilentWhenRequested) {
  succeed(run_sample());
  const Finished quiet = status({"-q"});
  EXPECT_EQ(quiet.exit_status, 0);
  EXPECT_EQ(quiet.out + quiet.err, "");
}

TEST_F(StatusProgramTest, AMissingFileIsAnError) {
  fs::create_directory(folder() / "empty");
  fail(1, {"status", path("empty")}, {"no run has written anything here", "--output"});
  fail(1, {"status", path("absent")}, {"absent", "No such file"});
}

}  // namespace
}  // namespace bertprep::test
