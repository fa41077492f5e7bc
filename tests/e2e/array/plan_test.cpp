// `plan`: estimates a run before it starts.
#include <csignal>
#include <map>
#include <sstream>

#include "e2e/e2e_test.h"
#include "support/json_lines.h"

namespace bertprep::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
namespace fs = std::filesystem;

class PlanProgramTest : public E2eTest {
 protected:
  Arguments plan_sample() {
    Arguments arguments = run_sample();
    arguments[0] = "plan";
    return arguments;
  }
  static std::map<std::string, JsonValue> events_by_name(const std::string& out) {
    std::map<std::string, JsonValue> events;
    std::istringstream lines(out);
    for (std::string line; std::getline(lines, line);) {
      const JsonValue event = parse_json(line);
      events.try_emplace(event.at("event").text, event);
    }
    return events;
  }
};

TEST_F(PlanProgramTest, PredictsTheOutputsOfTheRun) {
  const Finished planned = succeed(plan_sample() + Arguments{"--phase", "1"});
  EXPECT_THAT(planned.out, ContainsRegex("articles +64, [0-9,]+ sentences, [0-9,]+ tokens\n"));
  EXPECT_THAT(planned.out, ContainsRegex("text shards +[0-9.]+ kB in 6, "));
  EXPECT_THAT(planned.out, ContainsRegex("memory +[0-9.]+ MB for all threads"));
  EXPECT_THAT(planned.out, ContainsRegex("disk +[0-9.]+ [kM]B at most"));
  EXPECT_THAT(planned.out, testing::Not(HasSubstr("WARNING")));
  EXPECT_FALSE(fs::exists(folder() / "root"));
  EXPECT_FALSE(fs::exists(folder() / "work"));

  const Finished events = succeed(plan_sample() + Arguments{"--phase", "1", "--json"});
  const auto by_name = events_by_name(events.out);
  succeed(run_sample() + Arguments{"--phase", "1"});
  const JsonValue manifest = parse_json(read_bytes(phase1() / "manifest.json"));
  EXPECT_EQ(by_name.at("plan_phase").at("rows").text, manifest.at("rows").text);
  EXPECT_EQ(by_name.at("plan").at("basis").text, "sample");
}

TEST_F(PlanProgramTest, WarnsBeforeTheRunFails) {
  const Finished planned = succeed(plan_sample() + Arguments{"--train-shards", "100", "--memory", "40M"});
  EXPECT_THAT(planned.out, ContainsRegex("WARNING +about 64 articles can't fill 102 text shards"));
  EXPECT_THAT(planned.out, ContainsRegex("WARNING +not even one thread fits in --memory"));
}

TEST_F(PlanProgramTest, RefusesInputThatARunRefuses) {
  fail(2, {"plan", "-o", path("root")}, {"nothing to read"});
  fail(1, {"plan", "--input", path("absent.txt"), "-o", path("root"), "--vocab", vocab(), "--sentences", "icu"},
       {"absent.txt"});
}

TEST_F(PlanProgramTest, LeavesNothingWhenInterrupted) {
  std::string corpus;
  for (int i = 0; i < 200; ++i) corpus += read_bytes(sample("sample.wikitext"));
  Arguments command = plan_sample() + Arguments{"-j", "1"};
  command[2] = folder().write("corpus.wikitext", corpus);
  bertprep(command, {.signal = SIGINT, .after = std::chrono::milliseconds(150)});
  EXPECT_FALSE(fs::exists(folder() / "work"));
  EXPECT_FALSE(fs::exists(folder() / "root"));
}

}  // namespace
}  // namespace bertprep::test
