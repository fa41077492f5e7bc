// Array jobs: submit starts one, retry-list names the tasks to run again.
#include <algorithm>
#include <cstdio>

#include "batch/index_list.h"
#include "batch/submission.h"
#include "engine_program.h"
#include "io/folder.h"
#include "io/state_folder.h"
#include "options/command.h"
#include "pipeline/array/array_state.h"
#include "pipeline/run_stage.h"
#include "pipeline/work/progress_report.h"
#include "run/run_flags.h"
#include "summary/summary.h"
#include "token/vocab_catalogue.h"

namespace bertprep::cli {
namespace {

namespace fs = std::filesystem;

std::vector<JobStage> stages_from(ArrayStage first) {
  std::vector<JobStage> stages;
  for (const ArrayStage stage : kArrayStages) {
    if (stage >= first) stages.push_back({std::string(name_of(stage)), is_array(stage), {}, {}});
  }
  return stages;
}

class SubmitCommand final : public Command {
 public:
  explicit SubmitCommand(CLI::App& self) : Command(self) {
    add_argument("engine", engine_, "slurm|aws-batch|kubernetes", "the engine that runs the jobs")->required();
    flags_.add(*this);
    add_max_rejects(*this, max_rejects_);
    add_strict_data(*this, strict_data_);
    add_piece_size(*this, piece_size_);
    add_option("--from", from_, "fetch|format|place|shard|instances|finish", OptionGroup::kArrayJobs,
               "start at this stage, skip those before it");
    add_option("--retry", retry_, "fetch|format|place|shard|instances|finish", OptionGroup::kArrayJobs,
               "as --from, and skip the finished tasks of this stage")
        ->excludes("--from");
    add_flag("--dry-run", dry_run_, OptionGroup::kOutput, "write the job files, submit nothing");
    options().add(app(), submit_);
  }

  int run(Console& console) override {
    check(console);
    JobChain chain = chain_of_options();
    if (!retry_.empty()) leave_out_done(chain, console);
    const JobSet jobs = jobs_of(chain);
    if (!dry_run_) refuse_queued(console);
    if (chain.folder.empty()) {
      throw ConfigError(mount() + " is not on this machine", {}, "give the folder for the job files with --jobs DIR");
    }
    write_files(chain, jobs, console);
    if (!dry_run_) {
      submit(chain, jobs, console);
      if (is_visible()) console.say("bertprep status --wait " + root().string() + " waits for them");
    }
    return kDone;
  }

 private:
  bool is_slurm() const { return engine_ == "slurm"; }
  bool is_kubernetes() const { return engine_ == "kubernetes"; }
  // Where containers have the shared file system.
  const std::string& mount() const { return is_kubernetes() ? submit_.claim_mount : submit_.efs_mount; }

  const RunRequest& request() const { return flags_.request(); }
  const fs::path& root() const { return request().folders.output; }
  // Whether ROOT on this machine is that of the jobs.
  bool is_visible() const { return is_slurm() || fs::exists(mount()); }

  // Two chains would do all work twice. One stage may be submitted again while others of its tasks run.
  void refuse_queued(Console& console) {
    const std::string name = request().name();
    const auto earlier = Submission::find(state_beside(root() / name));
    if (!earlier || fs::exists(array_layout(earlier->array).finished)) return;
    const auto queue = ask_engine(*earlier);
    if (queue == QueueState::kGone) return;
    if (!queue || !from_.empty() || !retry_.empty()) {
      console.note("submitted before, and perhaps still in the queue: " + earlier->words());
      return;
    }
    const std::string cancel = cancel_command(*earlier);
    throw FormatError("its jobs are still in the queue: " + earlier->words(), root() / name,
                      "wait for them ('bertprep status --wait " + root().string() + "'), or cancel them first" +
                          (cancel.empty() ? "" : ": " + cancel));
  }

  JobSet jobs_of(const JobChain& chain) const {
    if (is_slurm()) return slurm_jobs(chain, max_tasks_of_cluster());
    return is_kubernetes() ? kubernetes_jobs(chain) : aws_batch_jobs(chain);
  }

  // Checks what the jobs would refuse, possibly after hours of waiting.
  void check(Console& console) {
    if (!is_slurm() && !is_kubernetes() && engine_ != "aws-batch") {
      throw ConfigError("there is no engine '" + engine_ + "'", {}, "the engines are slurm, aws-batch and kubernetes");
    }
    flags_.check(console);
    flags_.require_files("each task of an array job reads the input itself");
    for (const fs::path& input : request().source.inputs) {
      if (is_slurm() && !is_address(input) && !fs::exists(input))
        throw IoError("does not exist", input.string(), "check the path");
    }
    check_array(request().pipeline);
    piece_bytes(piece_size_);
    check_models();
    if (is_slurm()) request().refuse_ignored(flags_.given(), console);
  }

  // Looks up vocabulary and sentence model without fetching, for errors of a run that would not find them. Paths may be
  // those of other machines.
  void check_models() const {
    const std::string& vocab = request().pipeline.vocabulary;
    const bool paths_count = is_slurm();
    const bool counts = paths_count || vocab.find('/') == std::string::npos;
    if (counts && !is_vocab_here(vocab) && !can_fetch_vocab(vocab, fetch_options_of_models(request().source.fetch))) {
      resolve_vocab(vocab);  // lists the known ones
    }
    const SentenceOptions& sentences = request().pipeline.sentences;
    const bool is_folder = sentences.punkt.find('/') != std::string::npos;
    if (sentences.rules == SentenceRules::kIcu ||
        (sentences.rules == SentenceRules::kPunkt && is_folder && paths_count)) {
      make_sentence_splitter(sentences);
    }
  }

  JobChain chain_of_options() {
    JobChain chain;
    chain.dataset = request().name();
    array_ = array_layout(request().array_job()).folder;
    chain.command = run_command();
    const std::string& first = retry_.empty() ? from_ : retry_;
    chain.stages = stages_from(first.empty() ? ArrayStage::kFetch : array_stage(first));
    if (!piece_size_.empty() && first.empty()) chain.stages.front().arguments = {"--piece-size", piece_size_};
    chain.directory = fs::current_path();
    chain.written = {request().folders.output, work()};
    chain.read = request().source.inputs;
    std::erase_if(chain.read, is_address);
    chain.options = submit_;
    chain.folder = jobs_folder();
    return chain;
  }

  fs::path work() const { return work_folder(request().folders); }

  // Empty: it would be on the containers' file system, which is not on this machine.
  fs::path jobs_folder() {
    if (!submit_.jobs.empty()) return fs::absolute(submit_.jobs).lexically_normal();
    if (!is_slurm() && !fs::exists(mount())) return {};
    return fs::absolute(work() / "jobs" / request().name() / engine_).lexically_normal();
  }

  // `run` with this command's options, verbatim.
  std::vector<std::string> run_command() {
    std::vector<std::string> command{is_slurm() ? program_path() : "bertprep", "run"};
    for (const std::string& argument : run_arguments()) command.push_back(argument);
    const auto is_present = [&](const char* flag) { return std::count(command.begin(), command.end(), flag) != 0; };
    const std::vector<std::string> share = share_of_machine(submit_);
    const bool threads = !is_present("--threads");
    const bool memory = !is_present("--memory");
    if (threads) command.insert(command.end(), share.begin(), share.begin() + 2);
    if (memory) command.insert(command.end(), share.begin() + 2, share.end());
    return command;
  }

  std::vector<std::string> run_arguments() {
    const RunSource& source = request().source;
    std::vector<std::string> arguments{request().is_dataset() ? source.dataset : "--input"};
    for (const fs::path& input : source.inputs) arguments.push_back(input.string());
    arguments.insert(arguments.end(), {"-o", request().folders.output.string(), "-w", work().string()});
    if (max_rejects_ >= 0) arguments.insert(arguments.end(), {"--max-rejects", std::to_string(max_rejects_)});
    if (strict_data_) arguments.push_back("--strict-data");
    std::set<std::string, std::less<>> own;
    for (const auto& field : SubmitOptions::fields()) own.emplace(field.name);
    for (const std::string& flag : options().given_flags(own)) arguments.push_back(flag);
    return arguments;
  }

  std::string program_path() const {
    return submit_.program.empty() ? fs::read_symlink("/proc/self/exe").string() : submit_.program;
  }

  // The cluster's limit for arrays; without its commands installed, sbatch will check it.
  static std::uint64_t max_tasks_of_cluster() {
    const StartedProgram scontrol = run_to_end({"scontrol", "show", "config"});
    return scontrol.found && scontrol.status == 0 ? slurm_most_tasks(scontrol.out) : 0;
  }

  void leave_out_done(JobChain& chain, Console& console) {
    JobStage& first = chain.stages.front();
    if (!first.is_array) return;
    const auto tasks = static_cast<std::uint64_t>(submit_.tasks);
    first.only = unfinished_tasks(request().array_job(), array_stage(first.name), tasks);
    console.say(first.name + ": " + grouped(first.only.size()) + " of " + counted(tasks, "task") + " left");
    if (first.only.size() == tasks) {
      first.only.clear();
    } else if (first.only.empty()) {
      chain.stages.erase(chain.stages.begin());
    }
  }

  void write_files(const JobChain& chain, const JobSet& jobs, Console& console) const {
    write_job_files(chain.folder, jobs.files);
    if (is_slurm()) make_folders(chain.folder / "logs");
    console.say("job files: " + chain.folder.string());
    if (!dry_run_) return;
    for (const JobFile& file : jobs.files) std::printf("%s\n", (chain.folder / file.name).c_str());
    console.say("nothing is submitted; run 'sh " + (chain.folder / "submit.sh").string() + "' to submit");
  }

  void submit(const JobChain& chain, const JobSet& jobs, Console& console) const {
    SubmissionJournal journal(chain.folder, engine_, submit_.tasks);
    Submission submission = submission_of(chain);
    std::map<std::string, std::string> ids;
    for (const JobStep& step : jobs.steps) {
      const std::string id = submit_step(step, ids);
      if (!step.awaited.empty()) continue;
      ids[step.name] = id;
      journal.add(step.name, ids[step.name]);
      if (step.name != "definition") submission.jobs.push_back(id);
      record(submission, chain, console);
      console.print(JsonEvent("submitted").text("job", step.name).text("id", id), step.name + "\t" + id);
    }
  }

  // The jobs are submitted, whether that can be recorded or not.
  void record(const Submission& submission, const JobChain& chain, Console& console) const try {
    if (is_visible()) submission.write(root(), chain.dataset);
  } catch (const IoError& error) {
    if (submission.jobs.size() == 1)
      console.note(std::string("'bertprep status' won't know the jobs: ") + error.what());
  }

  Submission submission_of(const JobChain& chain) const {
    Submission submission;
    submission.engine = engine_;
    submission.region = submit_.region;
    submission.profile = submit_.profile;
    submission.endpoint = submit_.aws_endpoint;
    submission.kube_namespace = submit_.kube_namespace;
    submission.time_seconds = seconds_since_1970();
    submission.tasks = static_cast<std::uint64_t>(submit_.tasks);
    submission.work = fs::absolute(work()).lexically_normal();
    submission.array = fs::absolute(array_).lexically_normal();
    submission.job_files = chain.folder;
    for (const JobStage& stage : chain.stages) submission.stages.push_back(stage.name);
    return submission;
  }

  std::string submit_step(const JobStep& step, const std::map<std::string, std::string>& ids) const {
    std::vector<std::string> command = step.command;
    for (const auto& [before, of] : step.references) command.push_back(before + ids.at(of));
    if (!step.file.empty()) command.push_back(step.file);
    try {
      const std::string id = output_of(command);
      return id.substr(0, id.find(';'));
    } catch (const IoError& error) {
      if (!step.awaited.empty()) throw IoError(error.what(), {}, "then continue with --from " + step.awaited);
      if (ids.empty()) throw;
      std::string earlier;
      for (const auto& [name, id] : ids) earlier += " " + id;
      throw IoError(error.what(), {},
                    "already submitted:" + earlier + "; cancel them, or continue with --from " + step.name);
    }
  }

  RunFlags flags_;
  fs::path array_;  // the folder of the array job
  SubmitOptions submit_;
  std::string engine_;
  std::string from_;
  std::string retry_;
  std::string piece_size_;
  std::int64_t max_rejects_ = -1;
  bool strict_data_ = false;
  bool dry_run_ = false;
};

class RetryListCommand final : public Command {
 public:
  explicit RetryListCommand(CLI::App& self) : Command(self) {
    flags_.add(*this, {"threads", "memory", "keep"});
    add_option("--stage", stage_, "format|shard|instances", OptionGroup::kArrayJobs,
               "the stage whose tasks are checked (default: the first that is not done)");
    add_option("--array-count", count_, "TASKS", OptionGroup::kArrayJobs,
               "number of tasks in the array (default: that of submit)")
        ->transform(within(1));
    add_option("--syntax", syntax_, std::string(kIndexSyntaxes), OptionGroup::kArrayJobs,
               "slurm: for sbatch --array; aws-batch: a file for --array-list; sge, pbs, lsf: for the engine's "
               "option (default slurm)");
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

extern const CommandEntry kSubmitCommand{"submit", make_command<SubmitCommand>};
extern const CommandEntry kRetryListCommand{"retry-list", make_command<RetryListCommand>};

}  // namespace bertprep::cli
