// InputGuard: keeps a stage from writing over its own input, or to where the next call would read it as input.
#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>

#include "bertprep/pipeline/stages.h"
#include "io/file_system.h"
#include "pipeline/records/run_layout.h"

namespace bertprep {

class InputGuard {
 public:
  // Files and folders as the user names them; those that do not exist are left to whoever reads them.
  explicit InputGuard(std::span<const std::filesystem::path> inputs);
  explicit InputGuard(std::span<const CorpusPart> parts);

  // A file that will be written. Throws ConfigError when it is an input, by whatever name, or lies in an input folder.
  void refuse_file(const std::filesystem::path& output) const;
  // The same of files of one folder.
  void refuse_files(const std::filesystem::path& folder, std::span<const std::string> names) const;
  // A folder that will be filled. Throws ConfigError when it is an input folder or lies in one.
  void refuse_folder(const std::filesystem::path& output) const;

 private:
  void add(const std::filesystem::path& input);
  void add_folder(const std::filesystem::path& folder);
  void refuse_inputs(const std::filesystem::path& folder, std::span<const std::string> names) const;

  std::set<FileIdentity> files_;
  std::set<FileIdentity> folders_;  // all in which files are looked for
};

// Everything that a run writes.
void refuse_run_over_input(std::span<const CorpusPart> parts, const BuildFolders& folders, const RunLayout& layout,
                           const PipelineOptions& options);

}  // namespace bertprep
