#include <algorithm>
#include <cstdio>

#include "engine_program.h"
#include "io/process.h"
#include "options/command.h"
#include "pipeline/status/status.h"
#include "pipeline/work/progress_report.h"

namespace bertprep::cli {
namespace {

// Until nothing runs any more, `status` looks again and again: often at first, as small runs are short.
constexpr std::chrono::seconds kMostOften{1};
constexpr std::chrono::seconds kLeastOften{30};

// In the order of StageState.
constexpr std::array kStageWords = {"not started", "waiting", "running", "interrupted", "failed", "damaged", "done"};
static_assert(kStageWords.size() == static_cast<std::size_t>(StageState::kDone) + 1);

const char* word_of(StageState state) {
  return kStageWords[static_cast<std::size_t>(state)];
}

// In the order of DatasetState.
struct StateFacts {
  const char* word;
  ExitStatus exit_status;
};
constexpr std::array<StateFacts, 6> kDatasetStates = {{{"done", kDone},
                                                       {"running", kRunning},
                                                       {"waiting", kWaiting},
                                                       {"failed", kFailed},
                                                       {"damaged", kFailed},
                                                       {"interrupted", kFailed}}};
static_assert(kDatasetStates.size() == static_cast<std::size_t>(DatasetState::kInterrupted) + 1);

const StateFacts& facts_of(DatasetState state) {
  return kDatasetStates[static_cast<std::size_t>(state)];
}

std::string state_text(const StageStatus& stage) {
  std::string text = word_of(stage.state);
  if (stage.fraction == 0) return text;
  if (stage.state == StageState::kRunning) text += " " + percent_text(stage.fraction);
  if (stage.state == StageState::kInterrupted || stage.state == StageState::kFailed)
    text += " at " + percent_text(stage.fraction);
  return text;
}

std::string tasks_text(const StageStatus& stage) {
  if (stage.tasks_planned == 0) return count_text(stage.tasks_done);
  return grouped(stage.tasks_done) + "/" + grouped(stage.tasks_planned);
}

std::string stage_text(const StageStatus& stage) {
  return stage.seq_len == 0 ? stage.stage : stage.stage + " " + std::to_string(stage.seq_len);
}

std::string share_text(const RunShare& share) {
  const std::string text = percent_text(share.fraction) + " of the run";
  return share.seconds_left ? text + ", " + rounded_duration_text(*share.seconds_left) + " left" : text;
}

std::string age_text(const Submission& submission) {
  const std::uint64_t now = seconds_since_1970();
  return rounded_duration_text(now < submission.time_seconds ? 0.0
                                                             : static_cast<double>(now - submission.time_seconds));
}

// Columns as wide as their widest cell, so that the table fits a terminal. Text left-aligned, numbers right-aligned.
class Table {
 public:
  using Cells = std::array<std::string, 6>;

  void add(Cells cells, std::string remark = {}) {
    for (std::size_t i = 0; i < cells.size(); ++i) widths_[i] = std::max(widths_[i], cells[i].size());
    lines_.push_back({std::move(cells), std::move(remark)});
  }
  std::string text() const {
    std::string text;
    for (const Line& line : lines_) {
      for (std::size_t i = 0; i < line.cells.size(); ++i) {
        const std::string pad(widths_[i] - line.cells[i].size(), ' ');
        text += (i == 0 ? "" : "  ") + (i < 2 ? line.cells[i] + pad : pad + line.cells[i]);
      }
      text += "\n";
      if (!line.remark.empty()) text += "  " + line.remark + "\n";
    }
    return text;
  }

 private:
  struct Line {
    Cells cells;
    std::string remark;
  };

  std::array<std::size_t, 6> widths_ = {13, 11, 5, 8, 8, 8};  // so that tables of small sets are alike
  std::vector<Line> lines_;
};

class StatusCommand final : public Command {
 public:
  explicit StatusCommand(CLI::App& self) : Command(self) {
    add_argument("root", root_, "ROOT", "the folder given to run as --output")->required();
    add_option(
        "-w,--work", work_, "DIR", OptionGroup::kOutput,
        "the work folder of the runs (default: the recorded one, else $BERT_PREP_WORKING_DIR, else bertprep-work "
        "beside ROOT)");
    add_flag("--wait", wait_, OptionGroup::kGeneral, "wait until nothing is running or waiting any more");
  }

  int run(Console& console) override {
    std::vector<DatasetStatus> datasets = look();
    for (auto pause = kMostOften; wait_ && worst(datasets) >= kRunning; pause = std::min(2 * pause, kLeastOften)) {
      pause_for(pause);
      if (console.cancelled()) throw Cancelled();
      datasets = look();
    }
    for (const DatasetStatus& dataset : datasets) {
      if (console.options().json) {
        print_events(dataset);
      } else if (!console.options().quiet) {
        print_table(dataset);
      }
    }
    return worst(datasets);
  }

 private:
  std::vector<DatasetStatus> look() const {
    std::vector<DatasetStatus> datasets = status_of(root_, work_);
    bool is_gone = false;
    for (DatasetStatus& dataset : datasets) {
      const auto queue = in_question(dataset) ? ask_engine(*dataset.submission) : std::nullopt;
      is_gone = is_gone || queue == QueueState::kGone;
      if (queue) dataset.heed(*queue);
    }
    if (!is_gone) return nothing_refused(std::move(datasets));
    // Jobs that have ended may have written their results since the first look.
    datasets = status_of(root_, work_);
    for (DatasetStatus& dataset : datasets) {
      if (in_question(dataset)) dataset.heed(QueueState::kGone);
    }
    return datasets;
  }

  // Whether only the engine knows if its jobs are left.
  static bool in_question(const DatasetStatus& dataset) {
    return dataset.submission && !dataset.is_running && !dataset.is_done();
  }

  std::vector<DatasetStatus> nothing_refused(std::vector<DatasetStatus> datasets) const {
    if (!datasets.empty()) return datasets;
    throw FormatError("no run has written anything here", root_, "give the folder given to run as --output");
  }

  // While anything runs or waits, nothing is decided.
  static ExitStatus worst(std::span<const DatasetStatus> datasets) {
    static constexpr std::array kOrder = {kRunning, kWaiting, kFailed};
    for (const ExitStatus status : kOrder) {
      const auto has_it = [&](const DatasetStatus& dataset) { return facts_of(dataset.state()).exit_status == status; };
      if (std::any_of(datasets.begin(), datasets.end(), has_it)) return status;
    }
    return kDone;
  }

  void print_table(const DatasetStatus& dataset) const {
    Table table;
    table.add({"stage", "state", "tasks", "articles", "rows", "bytes"});
    for (const StageStatus& stage : dataset.stages) {
      const std::string bytes = stage.bytes == 0 ? "-" : bytes_text(stage.bytes);
      table.add({stage_text(stage), state_text(stage), tasks_text(stage), count_text(stage.articles),
                 count_text(stage.rows), bytes},
                stage.remark);
    }
    std::printf("%s\n%s%s\n", dataset.name.c_str(), table.text().c_str(), advice(dataset).c_str());
    std::fflush(stdout);
  }

  std::string advice(const DatasetStatus& dataset) const {
    switch (dataset.state()) {
      case DatasetState::kDone:
        return "done; bertprep verify " + root_.string() + " checks every byte";
      case DatasetState::kRunning:
        return running_text(dataset);
      case DatasetState::kWaiting:
        return "submitted " + age_text(*dataset.submission) + " ago, waiting: " + dataset.submission->words();
      case DatasetState::kFailed:
        return failed_text(dataset);
      case DatasetState::kDamaged:
        return "damaged; run the same command again: it remakes what is damaged or incomplete";
      case DatasetState::kInterrupted:
        break;
    }
    return dataset.is_array ? "an array job is not done; 'bertprep retry-list' names the tasks to run again"
                            : "not done; run the same command again: it resumes";
  }

  static std::string running_text(const DatasetStatus& dataset) {
    if (dataset.is_array) {
      return "an array job is running" + (dataset.submission ? ": " + dataset.submission->words() : std::string());
    }
    if (dataset.host.empty()) return "running";
    return "running on " + dataset.host + ", process " + std::to_string(dataset.pid) + ": " + share_text(dataset.share);
  }

  static std::string failed_text(const DatasetStatus& dataset) {
    const std::string what = "failed" + (dataset.error.empty() ? std::string() : ": " + dataset.error);
    if (!dataset.is_array) return what + "; the same command resumes when this is mended";
    if (!dataset.submission) return what + "; 'bertprep retry-list' names the tasks to run again";
    return what + "; logs are in " + (dataset.submission->job_files / "logs").string() +
           "; submit it again with --retry " + first_left(dataset);
  }

  static std::string first_left(const DatasetStatus& dataset) {
    for (const StageStatus& stage : dataset.stages) {
      if (stage.state != StageState::kDone) return stage.stage;
    }
    return "finish";
  }

  static void print_events(const DatasetStatus& dataset) {
    for (const StageStatus& stage : dataset.stages) {
      JsonEvent event("status");
      event.text("dataset", dataset.name).text("stage", stage.stage).number("seq_len", stage.seq_len);
      event.text("state", word_of(stage.state));
      event.real("fraction", stage.state == StageState::kDone ? 1 : stage.fraction);
      event.number("tasks_done", stage.tasks_done).number("tasks_planned", stage.tasks_planned);
      event.number("articles", stage.articles).number("sentences", stage.sentences).number("rows", stage.rows);
      event.number("bytes", stage.bytes).text("remark", stage.remark).print();
    }
    JsonEvent event("dataset");
    event.text("dataset", dataset.name)
        .text("state", facts_of(dataset.state()).word)
        .text("work", dataset.work.string())
        .text("host", dataset.host)
        .number("pid", dataset.pid);
    if (!dataset.host.empty()) event.real("run_fraction", dataset.share.fraction);
    if (dataset.share.seconds_left) event.real("run_seconds_left", *dataset.share.seconds_left);
    if (dataset.submission) event.text("engine", dataset.submission->engine).texts("jobs", dataset.submission->jobs);
    if (!dataset.error.empty()) event.text("error", dataset.error);
    event.print();
  }

  bool wait_ = false;
  std::filesystem::path root_;
  std::filesystem::path work_;
};

}  // namespace

extern const CommandEntry kStatusCommand{"status", make_command<StatusCommand>};

}  // namespace bertprep::cli
