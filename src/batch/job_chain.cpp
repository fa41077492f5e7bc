#include "batch/job_chain.h"

#include "batch/index_list.h"
#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/shell_words.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

bool is_of_names(char c) {
  return is_ascii_alphanumeric(c) || c == '_' || c == '-';
}

bool lies_in(const fs::path& path, const fs::path& folder) {
  const fs::path below = path.lexically_normal().lexically_relative(folder.lexically_normal());
  return !below.empty() && *below.begin() != "..";
}

// The tasks of `stage.only`, one per line: a file for --array-list in the chain's folder, for engines whose arrays have
// no gaps. Throws ConfigError when containers can't see that folder.
JobFile task_list_file(const JobChain& chain, const JobStage& stage, const std::string& mount) {
  if (!lies_in(chain.folder, mount)) {
    throw ConfigError(chain.folder.string() + " is not in " + mount + ", but the list of tasks to run again must be",
                      {}, "give `jobs` there, or run all tasks of the stage with `from` " + stage.name);
  }
  const std::string text = index_list_text(stage.only, "aws-batch");
  return {stage.name + "-" + sha256_of(text).substr(0, 12) + ".list", text};
}

}  // namespace

std::string job_name(const JobChain& chain, std::string_view stage, const std::string& before) {
  constexpr std::size_t kLongestDataset = 90;
  std::string name = before + chain.dataset.substr(0, kLongestDataset);
  for (char& c : name) {
    if (!is_of_names(c)) c = '-';
  }
  return name + (stage.empty() ? "" : "-") + std::string(stage);
}

std::vector<std::string> stage_command(const JobChain& chain, const JobStage& stage) {
  std::vector<std::string> command = chain.command;
  command.insert(command.end(), {"--stage", stage.name});
  command.insert(command.end(), stage.arguments.begin(), stage.arguments.end());
  if (stage.is_array) command.insert(command.end(), {"--array-count", std::to_string(chain.options.tasks)});
  return command;
}

std::string submit_script(std::span<const JobStep> steps, std::string_view head) {
  std::string script(head);
  for (const JobStep& step : steps) {
    script += step.name + "=$(" + shell_line(step.command);
    for (const auto& [before, of] : step.references) script += " \"" + before + "${" + of + "%%;*}\"";
    if (!step.file.empty()) script += " " + shell_word(step.file);
    script += ")\necho \"" + step.name + " $" + step.name + "\"\n";
  }
  return script;
}

// Programs need more memory than they count: for buffers of the system and libraries, and the shell.
std::vector<std::string> share_of_machine(const SubmitOptions& options) {
  const std::uint64_t mib = task_memory_mib(options.task_memory);
  return {"-j", std::to_string(options.cpus), "--memory", std::to_string(mib - mib / 10) + "M"};
}

void check_container_paths(const JobChain& chain, const std::string& mount, const std::string& option) {
  if (!fs::path(mount).is_absolute()) throw ConfigError(option + " '" + mount + "' is not an absolute path");
  for (const fs::path& path : chain.written) {
    if (path.is_absolute() && lies_in(path, mount)) continue;
    throw ConfigError(path.string() + " is not in " + mount + ", where containers mount the file system", {},
                      "give `output` and `work` as paths in it, or another " + option);
  }
  for (const fs::path& path : chain.read) {
    if (path.is_absolute()) continue;
    throw ConfigError("`input` " + path.string() + " is not an absolute path", {},
                      "give the path as containers see it: " + mount);
  }
}

ContainerTask container_task(const JobChain& chain, const JobStage& stage, const std::string& mount,
                             std::vector<JobFile>& files) {
  ContainerTask task{stage_command(chain, stage)};
  task.tasks = stage.is_array ? static_cast<std::uint64_t>(chain.options.tasks) : 1;
  if (stage.only.size() == 1) {
    task.command.insert(task.command.end(), {"--array-task", std::to_string(stage.only.front())});
    task.tasks = 1;
  } else if (!stage.only.empty()) {
    const JobFile& list = files.emplace_back(task_list_file(chain, stage, mount));
    task.command.insert(task.command.end(), {"--array-list", (chain.folder / list.name).string()});
    task.tasks = stage.only.size();
  }
  return task;
}

void require_option(const std::string& engine, const std::string& value, const std::string& option,
                    const std::string& hint) {
  if (value.empty()) throw ConfigError(engine + " needs " + option, {}, hint);
}

}  // namespace bertprep
