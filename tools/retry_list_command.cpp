#include <cstdio>

#include "base/fields.h"
#include "batch/index_list.h"
#include "batch/submission.h"
#include "bertprep/base/error.h"
#include "console/console.h"
#include "io/state_folder.h"
#include "options/command.h"
#include "run/run_flags.h"

namespace bertprep::cli {
namespace {

constexpr const char* kRetryListExamples =
    "  bertprep retry-list wikitext-2 -o /data/hdf5\n"
    "  sbatch --array=$(bertprep retry-list wikitext-2 -o /data/hdf5 \\\n"
    "      --stage format --array-count 64) format.sbatch\n"
    "  bertprep retry-list wikitext-2 -o /efs/hdf5 --stage instances \\\n"
    "      --array-count 64 --syntax aws-batch > again.txt";

class RetryListCommand final : public Command {
 public:
  explicit RetryListCommand(CLI::App& self) : Command(self, kRetryListExamples) {
    flags_.add(app(), options(), {"threads", "memory", "keep"});
    flags_.add_sequences(app(), options());
    add_option("--stage", stage_, "format|shard|instances", OptionGroup::kArrayJobs,
               "the stage whose tasks are checked (default: the first that is not done)");
    add_option("--array-count", count_, "TASKS", OptionGroup::kArrayJobs,
               "number of tasks in the array (default: that of submit)")
        ->transform(within(1));
    add_option("--syntax", syntax_, std::string(kIndexSyntaxes), OptionGroup::kArrayJobs,
               "slurm: for sbatch --array; aws-batch: a file for --array-list; sge, pbs, lsf: for the engine's "
               "option (default slurm)");
    show_first({"--input", "--output", "--work", "--name", "--stage", "--array-count", "--syntax"});
  }

  int run(Console& console) override {
    flags_.check(console);
    flags_.require_files("each task of an array job reads the input itself");
    const auto stage =
        stage_.empty() ? unfinished_stage(flags_.request().array_job()) : std::optional(array_stage(stage_));
    if (!stage) {
      console.say("all stages are done");
      return kDone;
    }
    const std::string name(name_of(*stage));
    if (!is_array(*stage)) {
      throw ConfigError("the stage '" + name + "' is one task, not an array", {}, "run it again as a whole");
    }
    const std::uint64_t count = tasks();
    const std::vector<std::uint64_t> left = unfinished_tasks(flags_.request().array_job(), *stage, count);
    std::fputs(index_list_text(left, syntax_).c_str(), stdout);
    console.say(name + ": " +
                (left.empty() ? "all " + counted(count, "task") + " are done"
                              : counted(left.size(), "task") + " of " + grouped(count) + " left"));
    return kDone;
  }

 private:
  std::uint64_t tasks() {
    if (count_ != 0) return count_;
    const ArrayJob job = flags_.request().array_job();
    const auto submission = Submission::find(state_beside(job.folders.output / job.name));
    if (submission && submission->tasks != 0) return submission->tasks;
    throw ConfigError("--array-count is required: no 'bertprep submit' recorded the number of tasks");
  }

  RunFlags flags_;
  std::string stage_;
  std::uint64_t count_ = 0;
  std::string syntax_ = "slurm";
};

}  // namespace

std::unique_ptr<Command> make_retry_list_command(CLI::App& self) {
  return std::make_unique<RetryListCommand>(self);
}

}  // namespace bertprep::cli
