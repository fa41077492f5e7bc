#include <array>
#include <cstdio>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "console/console.h"
#include "console/json_event.h"
#include "console/progress_line.h"
#include "options/amounts.h"
#include "options/command.h"
#include "pipeline/status/status.h"

namespace bertprep::cli {
namespace {

constexpr const char* kStatusExamples =
    "  bertprep status data/hdf5_dataset\n"
    "  until bertprep status -q data/hdf5_dataset; do sleep 60; done";

const char* word_of(StageState state) {
  switch (state) {
    case StageState::kNotStarted:
      return "not started";
    case StageState::kRunning:
      return "running";
    case StageState::kInterrupted:
      return "interrupted";
    case StageState::kFailed:
      return "failed";
    case StageState::kDamaged:
      return "damaged";
    case StageState::kDone:
      return "done";
  }
  return "";
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

// Text left-aligned, numbers right-aligned.
std::string cells(const std::array<std::string, 6>& texts) {
  static constexpr std::array<int, 6> kWidths = {15, 20, 15, 13, 15, 11};
  std::string line;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto width = static_cast<std::size_t>(kWidths[i]);
    const std::string pad(width > texts[i].size() ? width - texts[i].size() : 0, ' ');
    line += i < 2 ? texts[i] + pad : pad + texts[i];
  }
  return line;
}

class StatusCommand final : public Command {
 public:
  explicit StatusCommand(CLI::App& self) : Command(self, kStatusExamples) {
    add_argument("root", root_, "ROOT", "the folder given to run as --output")->required();
    add_option("-w,--work", work_, "DIR", OptionGroup::kOutput,
               "the work folder of the runs (default: the one recorded by an unfinished run, else "
               "$BERT_PREP_WORKING_DIR, else bertprep-work beside ROOT)");
  }

  int run(Console& console) override {
    const std::vector<DatasetStatus> datasets = status_of(root_, work_);
    if (datasets.empty()) {
      throw FormatError("no run has written anything here", root_, "give the folder given to run as --output");
    }
    bool all_done = true;
    for (const DatasetStatus& dataset : datasets) {
      if (console.options().json) {
        print_events(dataset);
      } else if (!console.options().quiet) {
        print_table(dataset);
      }
      all_done = all_done && dataset.is_done() && !dataset.is_running;
    }
    return all_done ? kDone : kFailed;
  }

 private:
  void print_table(const DatasetStatus& dataset) const {
    std::printf("%s\n", dataset.name.c_str());
    std::printf("%s\n", cells({"stage", "state", "tasks", "articles", "rows", "bytes"}).c_str());
    for (const StageStatus& stage : dataset.stages) {
      const std::string bytes = stage.bytes == 0 ? "-" : bytes_text(stage.bytes);
      std::string line = cells({stage_text(stage), state_text(stage), tasks_text(stage), count_text(stage.articles),
                                count_text(stage.rows), bytes});
      if (!stage.remark.empty()) line += "  " + stage.remark;
      std::printf("%s\n", line.c_str());
    }
    std::printf("%s\n", advice(dataset).c_str());
    std::fflush(stdout);
  }

  std::string advice(const DatasetStatus& dataset) const {
    if (dataset.is_array) {
      return dataset.is_running ? "an array job is running"
                                : "an array job is not done; 'bertprep retry-list' names the tasks to run again";
    }
    if (dataset.is_running) {
      if (dataset.host.empty()) return "running";
      return "running on " + dataset.host + ", process " + std::to_string(dataset.pid) + ": " +
             share_text(dataset.share);
    }
    if (dataset.is_done()) return "done; bertprep verify " + root_.string() + " checks every byte";
    for (const StageStatus& stage : dataset.stages) {
      if (stage.state == StageState::kDamaged) {
        return "damaged; run the same command again: it remakes what is damaged or incomplete";
      }
    }
    return "not done; run the same command again: it resumes";
  }

  static void print_events(const DatasetStatus& dataset) {
    for (const StageStatus& stage : dataset.stages) {
      JsonEvent("status")
          .text("dataset", dataset.name)
          .text("stage", stage.stage)
          .number("seq_len", stage.seq_len)
          .text("state", word_of(stage.state))
          .real("fraction", stage.state == StageState::kDone ? 1 : stage.fraction)
          .number("tasks_done", stage.tasks_done)
          .number("tasks_planned", stage.tasks_planned)
          .number("articles", stage.articles)
          .number("sentences", stage.sentences)
          .number("rows", stage.rows)
          .number("bytes", stage.bytes)
          .text("remark", stage.remark)
          .print();
    }
    const char* state = dataset.is_running ? "running" : dataset.is_done() ? "done" : "not done";
    JsonEvent event("dataset");
    event.text("dataset", dataset.name)
        .text("state", state)
        .text("work", dataset.work.string())
        .text("host", dataset.host)
        .number("pid", dataset.pid);
    if (!dataset.host.empty()) event.real("run_fraction", dataset.share.fraction);
    if (dataset.share.seconds_left) event.real("run_seconds_left", *dataset.share.seconds_left);
    event.print();
  }

  std::filesystem::path root_;
  std::filesystem::path work_;
};

}  // namespace

std::unique_ptr<Command> make_status_command(CLI::App& self) {
  return std::make_unique<StatusCommand>(self);
}

}  // namespace bertprep::cli
