// Where results are to lie. What can't be written there is found before anything is read: a run may work for hours.
#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>

#include "bertprep/pipeline/stages.h"
#include "io/file_system.h"
#include "pipeline/records/run_layout.h"

namespace bertprep {

// InputGuard: prevents a stage from overwriting its input, or writing where the next call would read input.
class InputGuard {
 public:
  // Files and folders as given by the user; missing ones are reported by their readers.
  explicit InputGuard(std::span<const std::filesystem::path> inputs);
  explicit InputGuard(std::span<const CorpusPart> parts);

  // A file that will be written. Throws ConfigError if it is an input, under any name, or in an input folder.
  void refuse_file(const std::filesystem::path& output) const;
  // The same for files of one folder.
  void refuse_files(const std::filesystem::path& folder, std::span<const std::string> names) const;
  // A folder that will be filled. Throws ConfigError if it is an input folder or in one.
  void refuse_folder(const std::filesystem::path& output) const;

 private:
  void add(const std::filesystem::path& input);
  void add_folder(const std::filesystem::path& folder);
  void refuse_inputs(const std::filesystem::path& folder, std::span<const std::string> names) const;

  std::set<FileIdentity> files_;
  std::set<FileIdentity> folders_;  // all that are searched for files
};

// Checks everything that a run writes.
void refuse_run_over_input(std::span<const CorpusPart> parts, const BuildFolders& folders, const RunLayout& layout,
                           const PipelineOptions& options);

// Throws IoError if `folder` can't be made or written, as far as is known without making it.
void require_output_folder(const std::filesystem::path& folder);
// The same for `file`, a result; also if it names a folder. Throws FormatError for a device or a pipe, even to be
// replaced.
void require_output_file(const std::filesystem::path& file);

// Makes `folder` if it is missing. Throws IoError.
void make_output_folder(const std::filesystem::path& folder);
// Throws IoError if no files can be made in `folder`.
void refuse_unwritable(const std::filesystem::path& folder);

}  // namespace bertprep
