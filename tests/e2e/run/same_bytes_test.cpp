// The same bytes with any threads, kills and signals.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <random>

#include "e2e/e2e_test.h"

namespace bertprep::test {
namespace {

using std::chrono::microseconds;
using testing::HasSubstr;
namespace fs = std::filesystem;

class SameBytesTest : public E2eTest {
 protected:
  FileTree files_of(const std::string& name) const { return read_results(path(name)); }
  void expect_same_as_undisturbed(const std::string& root, const std::string& work) {
    EXPECT_EQ(difference(files_of("root"), files_of(root)), "");
    EXPECT_EQ(difference(files_of("work"), files_of(work)), "");
  }

  // Files with final names are those of an undisturbed run.
  void expect_only_whole_files(const std::string& name, const FileTree& whole) {
    for (const auto& [file, bytes] : files_of(name)) {
      if (("/" + file).find("/.") != std::string::npos) continue;
      ASSERT_TRUE(whole.contains(file)) << file;
      EXPECT_TRUE(whole.at(file) == bytes) << file << " is not whole";
    }
  }

  // Interrupts a run of some seconds and resumes it.
  void interrupt_by(int signal);
};

TEST_F(SameBytesTest, WithAnyNumberOfThreads) {
  succeed(run_sample() + Arguments{"-j", "1"});
  for (const char* threads : {"2", "7"}) {
    const std::string root = std::string("root") + threads;
    const std::string work = std::string("work") + threads;
    succeed(run_sample(root, work) + Arguments{"-j", threads});
    expect_same_as_undisturbed(root, work);
  }
}

TEST_F(SameBytesTest, OfATableWithAnyNumberOfThreads) {
  std::string table = "title,text\r\n";
  for (int i = 0; i < 500; ++i) {
    const std::string n = std::to_string(i);
    table +=
        i % 17 == 3 ? "T" + n + ",\"open " + n + "\n" : "T" + n + ",\"It rains, \"\"" + n + "\"\".\nSo it does.\"\r\n";
  }
  const std::string input = folder().write("t.csv", table);
  const auto format = [&](const std::string& threads) {
    succeed({"format", input, "--format", "csv", "--text-field", "title,text", "-o", path("out" + threads + "/t.txt"),
             "-j", threads});
    return read_bytes(path("out" + threads + "/t.txt")) +
           read_bytes(path("out" + threads + "/.bertprep/t.txt.rejects.jsonl"));
  };
  const std::string one = format("1");
  EXPECT_THAT(one, HasSubstr("T0 \x1E It rains, \"0\". So it does.\n"));
  EXPECT_THAT(one, HasSubstr("t.csv:8\",\"reason\":\"a quoted field has no end\",\"record\":\"T3,\\\"open 3\"}\n"));
  for (const char* threads : {"2", "7"}) EXPECT_EQ(format(threads), one) << threads;
}

// As a kill leaves it that comes between the record of the formatted file and the end of formatting.
TEST_F(SameBytesTest, WithoutWhatAKillHasLeftOfTheFormattedFile) {
  succeed(run_sample());
  const FileTree whole = files_of("work");
  const std::string unfinished =
      "work/.formatted_one_article_per_line.bertprep/unfinished/sample_one_article_per_line.txt.zst";
  fs::create_directories(path(unfinished));
  folder().write(unfinished + "/lock", "");
  EXPECT_NE(difference(whole, files_of("work")), "");
  succeed(run_sample());
  EXPECT_EQ(difference(whole, files_of("work")), "");
}

TEST_F(SameBytesTest, AfterKillsAtAnyMoment) {
  // The shortest of several: on a busy machine, most kills would come after the end of a run.
  microseconds undisturbed = succeed(run_sample()).duration;
  for (const char* again : {"a", "b"}) {
    undisturbed = std::min(undisturbed, succeed(run_sample(again, std::string(again) + "-work")).duration);
  }
  const FileTree root = files_of("root");
  const FileTree work = files_of("work");
  constexpr int kRounds = 10;
  constexpr int kKillsOfARound = 5;
  std::mt19937 random(20240229);
  std::uniform_int_distribution<microseconds::rep> moment(0, undisturbed.count());
  int killed = 0;
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kKillsOfARound; ++i) {
      const RunOptions options{.signal = SIGKILL, .after = microseconds(moment(random))};
      killed += bertprep(run_sample("killed", "killed-work") + Arguments{"-j", "2"}, options).signal == SIGKILL ? 1 : 0;
      expect_only_whole_files("killed", root);
      expect_only_whole_files("killed-work", work);
    }
    succeed(run_sample("killed", "killed-work"));
    expect_same_as_undisturbed("killed", "killed-work");
    expect_nothing_unfinished(folder().path());
    fs::remove_all(folder() / "killed");
    fs::remove_all(folder() / "killed-work");
  }
  EXPECT_GT(killed, kRounds / 2);  // on a busy machine, many come after the end
}

void SameBytesTest::interrupt_by(int signal) {
  std::string corpus;
  const std::string once = read_bytes(sample("sample.wikitext"));
  for (int i = 0; i < 10; ++i) corpus += once;
  const std::string input = folder().write("corpus.wikitext", corpus);
  const auto command = [&](const std::string& root, const std::string& work) {
    Arguments arguments = run_sample(root, work) + Arguments{"-j", "1"};
    arguments[2] = input;
    return arguments;
  };
  const microseconds undisturbed = succeed(command("root", "work")).duration;

  // A run may be faster than the one that was measured: then it is interrupted sooner.
  Finished finished;
  for (microseconds after = undisturbed / 2; after > undisturbed / 32; after = after * 2 / 3) {
    fs::remove_all(folder() / "cut");
    fs::remove_all(folder() / "cut-work");
    finished = bertprep(command("cut", "cut-work"), {.signal = signal, .after = after});
    if (finished.exit_status != 0) break;
  }
  EXPECT_EQ(finished.exit_status, 128 + signal) << finished.err;
  EXPECT_THAT(finished.err, HasSubstr("interrupted; finished work is kept; the same command resumes"));
  expect_nothing_unfinished(folder().path());
  succeed(command("cut", "cut-work"));
  expect_same_as_undisturbed("cut", "cut-work");
}

TEST_F(SameBytesTest, AfterAnInterruptFromTheKeyboard) {
  interrupt_by(SIGINT);
}

TEST_F(SameBytesTest, AfterARequestToEnd) {
  interrupt_by(SIGTERM);
}

// A filter that waits for a terminal has no work to keep: the first interrupt ends it.
TEST_F(SameBytesTest, FiltersEndAtTheFirstInterrupt) {
  vocab();
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  // Opened for reading and writing, so that opening does not block.
  const int keep_open = ::open(path("pipe").c_str(), O_RDWR | O_CLOEXEC);
  const Finished finished =
      bertprep({"tokenize", "--vocab", vocab(), path("pipe")}, {.signal = SIGINT, .after = std::chrono::seconds(1)});
  ::close(keep_open);
  EXPECT_TRUE(finished.signal == SIGINT || finished.exit_status == 128 + SIGINT) << finished.exit_status;
}

// Not times and sizes, but the input's bytes decide whether work is done.
TEST_F(SameBytesTest, AfterAChangeOfTheInputThatKeepsItsSize) {
  const std::string one = folder().write("one.txt", "The first text.\n");
  const std::string two = folder().write("two.txt", "The other text.\n");
  const auto format = [&](const std::string& input) {
    return Arguments{"format", input, "--format", "articles", "-o", path("out/a.txt")};
  };
  succeed(format(one));
  fail(1, format(two), {"out/a.txt", "its input changed", "--force"});
  EXPECT_EQ(read_bytes(path("out/a.txt")), read_bytes(one));
  succeed(format(two) + Arguments{"--force"});
  EXPECT_EQ(read_bytes(path("out/a.txt")), read_bytes(two));
}

}  // namespace
}  // namespace bertprep::test
