#include "pipeline/records/progress_journal.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "pipeline/records/run_description.h"
#include "unit/pipeline/small_run.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kState =
    "root/hdf5_lower_case_1_seq_len_128_max_pred_20_masked_lm_prob_0.15_random_seed_12345_dupe_factor_5/"
    ".small.bertprep";

class RunJournalTest : public testing::Test {
 protected:
  fs::path state() const { return folder_ / kState; }
  ProgressReport report() const {
    const fs::path file = state() / ProgressReport::kFileName;
    return ProgressReport::from_json(Json::parse(read_file(file), file.string()));
  }

  TempFolder folder_;
  PipelineOptions options_ = small_options(folder_);
  Progress silent_;
};

TEST_F(RunJournalTest, DescribesTheRunWithoutItsPlaceAndTime) {
  TempFolder other;
  { RunJournal(small_folders(folder_), description_of(small_folders(folder_), options_), silent_).finish(); }
  { RunJournal(small_folders(other), description_of(small_folders(other), small_options(other)), silent_).finish(); }
  const std::string description = read_file(state() / RunDescription::kFileName);
  EXPECT_EQ(description, read_file(other / kState / RunDescription::kFileName));
  const RunDescription run = RunDescription::from_bytes(description, "run.json");
  EXPECT_EQ(run.dataset, "small");
  EXPECT_EQ(run.shards(), 5U);
  EXPECT_EQ(run.formatted, "formatted_one_article_per_line/small_one_article_per_line.txt.zst");
  ASSERT_EQ(run.phases.size(), 2U);
  EXPECT_EQ(run.phases[0].recipe.at("seq-len").text(), "128");
  EXPECT_EQ(run.phases[1].recipe.at("seq-len").text(), "512");
  EXPECT_EQ(run.to_bytes(), description);
}

TEST_F(RunJournalTest, KnowsTheWorkFolderAndTheInputs) {
  small_build(folder_, options_);
  const auto places = RunPlaces::find(state());
  ASSERT_TRUE(places);
  EXPECT_EQ(places->work, fs::canonical(folder_ / "work"));
  EXPECT_EQ(places->work_from_root, "../work");
  EXPECT_EQ(places->inputs, std::vector<std::string>{folder_ / "articles.txt"});
  const auto always = [](const fs::path&) { return true; };
  const auto never = [](const fs::path&) { return false; };
  EXPECT_EQ(find_work(folder_ / "root", state(), never), fs::canonical(folder_ / "work"));
  EXPECT_EQ(find_work(folder_ / "x/root", state(), always), fs::canonical(folder_.path()) / "x/work");
  EXPECT_EQ(find_work(folder_ / "x/root", state(), never), fs::canonical(folder_ / "work"));
  EXPECT_EQ(find_work(folder_ / "x/root", folder_ / "none", never), folder_ / "x/bertprep-work");
  folder_.write(std::string(kState) + "/places.json", "{");
  EXPECT_FALSE(RunPlaces::find(state()));
}

// A process that has begun a run and works on it during the object's lifetime.
class OtherProcess {
 public:
  OtherProcess(const BuildFolders& folders, const PipelineOptions& options) {
    int begun[2], over[2];
    EXPECT_EQ(::pipe(begun), 0);
    EXPECT_EQ(::pipe(over), 0);
    process_ = ::fork();
    if (process_ == 0) {
      ::close(over[1]);
      Progress silent;
      const RunJournal journal(folders, description_of(folders, options), silent);
      char byte = 'b';
      const bool told = ::write(begun[1], &byte, 1) == 1;
      ::_exit(told && ::read(over[0], &byte, 1) == 0 ? 0 : 1);
    }
    ::close(over[0]);
    over_ = over[1];
    char byte = 0;
    EXPECT_EQ(::read(begun[0], &byte, 1), 1);
    ::close(begun[0]);
    ::close(begun[1]);
  }
  ~OtherProcess() {
    ::close(over_);
    ::waitpid(process_, nullptr, 0);
  }
  OtherProcess(const OtherProcess&) = delete;
  OtherProcess& operator=(const OtherProcess&) = delete;

  pid_t number() const { return process_; }

 private:
  pid_t process_;
  int over_;
};

TEST_F(RunJournalTest, AnotherRunIsRefusedWhereAProcessIsAtWork) {
  const BuildFolders folders = small_folders(folder_);
  PipelineOptions different = options_;
  different.instances.short_seq_prob = 0.3;
  {
    const OtherProcess other(folders, options_);
    EXPECT_NO_THROW(RunJournal(folders, description_of(folders, options_), silent_))
        << "an equal run may work beside it";
  }
  {
    const OtherProcess other(folders, options_);
    try {
      const RunJournal journal(folders, description_of(folders, different), silent_);
      FAIL();
    } catch (const FormatError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("process " + std::to_string(other.number()) + " on "));
    }
  }
  EXPECT_NO_THROW(RunJournal(folders, description_of(folders, different), silent_)) << "it is gone";
}

TEST_F(RunJournalTest, TheEndOfAnEqualRunHidesNone) {
  const BuildFolders folders = small_folders(folder_);
  PipelineOptions different = options_;
  different.instances.short_seq_prob = 0.3;
  {
    const OtherProcess other(folders, options_);
    RunJournal(folders, description_of(folders, options_), silent_).finish();
    EXPECT_FALSE(fs::exists(state() / ProgressReport::kFileName))
        << "both write it, and the first that ends removes it";
    EXPECT_THROW(RunJournal(folders, description_of(folders, different), silent_), FormatError);
  }
  EXPECT_NO_THROW(RunJournal(folders, description_of(folders, different), silent_)) << "it is gone";
}

TEST_F(RunJournalTest, StopsWaitingForOthersWhenTheUserStops) {
  class Stopped final : public Progress {
   public:
    bool cancelled() const override { return true; }
  } stopped;
  const BuildFolders folders = small_folders(folder_);
  const FolderLock held(folders.output, silent_);
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_THROW(RunJournal(folders, description_of(folders, options_), stopped), Cancelled);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(5));
}

// Processes that wait for a signal, begin a run at the same moment, and exist during the object's lifetime.
class ManyProcesses {
 public:
  ManyProcesses(const BuildFolders& folders, std::span<const PipelineOptions> runs) {
    for (int* ends : {start_, told_, over_}) EXPECT_EQ(::pipe(ends), 0);
    for (const PipelineOptions& options : runs) {
      const pid_t process = ::fork();
      if (process == 0) work(folders, options);
      processes_.push_back(process);
    }
    ::close(start_[0]);
    ::close(told_[1]);
    ::close(over_[0]);
    ::close(start_[1]);
  }
  ~ManyProcesses() {
    ::close(over_[1]);
    for (const pid_t process : processes_) ::waitpid(process, nullptr, 0);
    ::close(told_[0]);
  }
  ManyProcesses(const ManyProcesses&) = delete;
  ManyProcesses& operator=(const ManyProcesses&) = delete;

  int begun() const {
    int count = 0;
    for (std::size_t i = 0; i < processes_.size(); ++i) {
      char byte = 0;
      EXPECT_EQ(::read(told_[0], &byte, 1), 1);
      count += byte == 'b' ? 1 : 0;
    }
    return count;
  }

 private:
  // Reading this end of a pipe blocks until the last process has closed the other one.
  static void wait_for(int* ends) {
    ::close(ends[1]);
    char byte = 0;
    while (::read(ends[0], &byte, 1) > 0) {
    }
  }

  [[noreturn]] void work(const BuildFolders& folders, const PipelineOptions& options) {
    ::close(over_[1]);
    wait_for(start_);
    Progress silent;
    std::optional<RunJournal> journal;
    char byte = 'b';
    try {
      journal.emplace(folders, description_of(folders, options), silent);
    } catch (const FormatError&) {
      byte = 'r';
    } catch (...) {
      byte = '?';
    }
    const bool told = ::write(told_[1], &byte, 1) == 1;
    ::close(told_[1]);
    wait_for(over_);
    ::_exit(told ? 0 : 1);
  }

  int start_[2], told_[2], over_[2];
  std::vector<pid_t> processes_;
};

TEST_F(RunJournalTest, OfManyDifferentRunsThatStartAtOnceOneContinues) {
  std::vector<PipelineOptions> runs(12, options_);
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].instances.short_seq_prob = 0.01 * static_cast<double>(i);
  for (int round = 0; round < 10; ++round) {
    TempFolder root;
    const ManyProcesses many(small_folders(root), runs);
    EXPECT_EQ(many.begun(), 1) << "round " << round;
  }
}

TEST_F(RunJournalTest, NothingButTheDescriptionStaysAtTheEnd) {
  RunJournal journal(small_folders(folder_), description_of(small_folders(folder_), options_), silent_);
  EXPECT_TRUE(fs::exists(state() / ProgressReport::kFileName));
  journal.finish();
  EXPECT_FALSE(fs::exists(state() / ProgressReport::kFileName));
  EXPECT_TRUE(fs::is_empty(state() / "partial"));
  EXPECT_TRUE(fs::exists(state() / RunDescription::kFileName));
}

TEST_F(RunJournalTest, AnInterruptedRunLeavesItsLastState) {
  {
    RunJournal journal(small_folders(folder_), description_of(small_folders(folder_), options_), silent_);
    journal.begin("format", 200, "bytes");
    journal.advance(90);
  }
  const ProgressReport left = report();
  EXPECT_EQ(left.stage, "format");
  EXPECT_EQ(left.done, 90U);
  EXPECT_DOUBLE_EQ(left.fraction(), 0.45);
  EXPECT_EQ(left.process.pid, static_cast<std::uint64_t>(::getpid()));
  EXPECT_EQ(left.work, folder_ / "work");
  EXPECT_TRUE(left.is_alive());
}

TEST_F(RunJournalTest, TellsDeadProcessesFromLiving) {
  ProgressReport here = ProgressReport::of_this_process();
  here.time_seconds = 0;
  EXPECT_TRUE(here.is_alive()) << "a process may be silent for long";
  here.process.start += 1;
  EXPECT_FALSE(here.is_alive()) << "another process has got its number";
  ProgressReport elsewhere = ProgressReport::of_this_process();
  elsewhere.process.host += "-other";
  EXPECT_TRUE(elsewhere.is_alive());
  elsewhere.time_seconds -= 31;
  EXPECT_FALSE(elsewhere.is_alive());
}

TEST_F(RunJournalTest, ADescriptionWithoutAValidRecipeIsRefused) {
  const auto description_with = [](Json recipe) {
    RunDescription run;
    run.phases.push_back({"hdf5/a", std::move(recipe)});
    return run.to_json();
  };
  const auto recipe = [](Json seq_len) { return Json::object().add("seq-len", std::move(seq_len)); };
  EXPECT_NO_THROW(RunDescription::from_json(description_with(recipe(Json::string("128")))));
  EXPECT_NO_THROW(RunDescription::from_json(description_with(Json::object())));
  EXPECT_THROW(RunDescription::from_json(description_with(recipe(Json::string("long")))), FormatError);
  EXPECT_THROW(RunDescription::from_json(description_with(recipe(Json::array()))), FormatError);
  EXPECT_THROW(RunDescription::from_json(description_with(Json::string("128"))), FormatError);
}

// Damaged numbers are never displayed.
TEST_F(RunJournalTest, TheShareOfADamagedReportIsAShareOrRefused) {
  const auto read = [](const char* name, const char* value) {
    Json json = ProgressReport::of_this_process().to_json();
    return ProgressReport::from_json(json.add(name, Json::string(value))).run;
  };
  EXPECT_EQ(read("run-fraction", "1.25").fraction, 1);
  EXPECT_EQ(read("run-fraction", "-3").fraction, 0);
  EXPECT_EQ(read("run-seconds-left", "61.5").seconds_left, 61.5);
  EXPECT_EQ(read("run-seconds-left", "-1").seconds_left, 0);
  EXPECT_EQ(read("run-seconds-left", "1e300").seconds_left, std::nullopt);
  for (const char* value : {"nan", "inf", "0.5x", "", "1e999"}) {
    EXPECT_THROW(read("run-fraction", value), FormatError) << value;
    EXPECT_THROW(read("run-seconds-left", value), FormatError) << value;
  }
}

TEST_F(RunJournalTest, WithdrawsWhatWasNewAndMadeNothing) {
  RunJournal journal(small_folders(folder_), description_of(small_folders(folder_), options_), silent_);
  journal.begin("format", 200, "bytes");
  journal.withdraw();
  EXPECT_TRUE(fs::is_empty(folder_ / "root"));
}

TEST_F(RunJournalTest, WithdrawsNothingOfAnEarlierRun) {
  { RunJournal(small_folders(folder_), description_of(small_folders(folder_), options_), silent_).finish(); }
  RunJournal journal(small_folders(folder_), description_of(small_folders(folder_), options_), silent_);
  journal.withdraw();
  EXPECT_TRUE(fs::exists(state() / RunDescription::kFileName));
}

TEST_F(RunJournalTest, PassesEverythingOn) {
  class Observer final : public Progress {
   public:
    void begin(std::string_view stage, std::uint64_t total, std::string_view unit) override {
      heard += std::string(stage) + std::to_string(total) + std::string(unit) + ";";
    }
    void advance(std::uint64_t amount) override { heard += std::to_string(amount) + ";"; }
    void skipped(const SkippedRecord& record) override { heard += record.where + record.reason + ";"; }
    void note(std::string_view text) override { heard += std::string(text) + ";"; }
    void end() override { heard += "end"; }
    bool cancelled() const override { return true; }
    std::string heard;
  } observer;
  RunJournal journal(small_folders(folder_), description_of(small_folders(folder_), options_), observer);
  journal.begin("a", 1, "b");
  journal.advance(2);
  journal.skipped({"c", "d"});
  journal.note("e");
  journal.end();
  EXPECT_TRUE(journal.cancelled());
  EXPECT_EQ(observer.heard, "a1b;2;cd;e;end");
}

TEST_F(RunJournalTest, SkipsWhatCantBeWritten) {
  folder_.write("root", "a file where a folder should be");
  RunJournal journal(small_folders(folder_), description_of(small_folders(folder_), options_), silent_);
  journal.begin("format", 1, "bytes");
  journal.finish();
  EXPECT_TRUE(fs::is_regular_file(folder_ / "root"));
}

}  // namespace
}  // namespace bertprep::test
