#include "batch/job_chain.h"

#include "io/shell_words.h"
#include "batch/submit_options.h"

namespace bertprep {
namespace {

bool is_of_names(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

}  // namespace

std::string job_name(const JobChain& chain, std::string_view stage) {
  constexpr std::size_t kLongestDataset = 90;
  std::string name = "bertprep-" + chain.dataset.substr(0, kLongestDataset);
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

// Programs need more than they count: buffers of the system and of libraries, the shell around them.
std::vector<std::string> share_of_machine(const SubmitOptions& options) {
  const std::uint64_t mib = task_memory_mib(options.task_memory);
  return {"-j", std::to_string(options.cpus), "--memory", std::to_string(mib - mib / 10) + "M"};
}

}  // namespace bertprep
