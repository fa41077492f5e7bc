// OwnedFiles: the files that a run may remove: those that it downloaded or made.
//
// A file is the program's own if a record says that it was downloaded or made, it is unchanged since, and it is in one
// of the run's folders after resolving all symlinks. Everything else is the user's and stays.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/pipeline/stages.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/run_layout.h"

namespace bertprep {

class OwnedFiles {
 public:
  // `folders`: WORK and ROOT, or the one folder that a stage writes. They may be symlinks; symlinks below them are not
  // followed.
  explicit OwnedFiles(std::span<const std::filesystem::path> folders);

  // Removes the downloaded and unpacked files of `parts`, and their records.
  void remove_downloads(std::span<const CorpusPart> parts) const;
  // Removes the outputs of a completion record.
  void remove_outputs(const OutputFolder& folder, const CompletionRecord& record) const;
  // Ignores a folder that is not empty.
  void remove_empty_folder(const std::filesystem::path& folder) const;

 private:
  bool hold(const std::filesystem::path& path) const;
  void remove_download(const std::filesystem::path& path) const;
  void remove_file(const std::filesystem::path& file, const std::filesystem::path& state) const;

  std::vector<std::filesystem::path> folders_;  // without symlinks
};

// "download,sharded", as in --keep, and back. Throws ConfigError for anything else.
std::string text_of(const KeptFiles& kept);
KeptFiles kept_files(std::string_view text);

// Removes a finished run's downloads for `parts`, its formatted file and its text shards, unless kept: only below WORK,
// and only files that OwnedFiles knows to be the run's own. Their completion records stay, so that the run is known to
// be done.
void remove_unkept(const RunLayout& layout, std::span<const CorpusPart> parts, const PipelineOptions& options);

}  // namespace bertprep
