#include "batch/container_paths.h"

#include "batch/index_list.h"
#include "batch/job_chain.h"
#include "bertprep/base/error.h"
#include "io/digest.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

bool lies_in(const fs::path& path, const fs::path& folder) {
  const fs::path below = path.lexically_normal().lexically_relative(folder.lexically_normal());
  return !below.empty() && *below.begin() != "..";
}

}  // namespace

void check_container_paths(const JobChain& chain, const std::string& mount, const std::string& flag) {
  if (!fs::path(mount).is_absolute()) throw ConfigError(flag + " '" + mount + "' is not an absolute path");
  for (const fs::path& path : chain.written) {
    if (path.is_absolute() && lies_in(path, mount)) continue;
    throw ConfigError(path.string() + " is not in " + mount + ", where containers mount the file system", {},
                      "give --output and --work as paths in it, or another " + flag);
  }
  for (const fs::path& path : chain.read) {
    if (path.is_absolute()) continue;
    throw ConfigError("--input " + path.string() + " is not an absolute path", {},
                      "give the path as containers see it: " + mount);
  }
}

JobFile task_list_file(const JobChain& chain, const JobStage& stage, const std::string& mount) {
  if (!lies_in(chain.folder, mount)) {
    throw ConfigError(chain.folder.string() + " is not in " + mount + ", but the list of tasks to run again must be",
                      {}, "give --jobs there, or run all tasks of the stage with --from " + stage.name);
  }
  const std::string text = index_list_text(stage.only, "aws-batch");
  return {stage.name + "-" + sha256_of(text).substr(0, 12) + ".list", text};
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
