// OwnedFiles: what a run may remove: files that it downloaded or made.
//
// A file is the program's own when a record says that it was downloaded or made, it still is what the record says, and
// it lies in one of the run's folders once all symlinks are resolved. Everything else is the user's and stays.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/pipeline/stages.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/run_layout.h"

namespace bertprep {

class OwnedFiles {
 public:
  // `folders`: WORK and ROOT, or the one folder that a stage writes. They may be symlinks; below them none is followed.
  explicit OwnedFiles(std::span<const std::filesystem::path> folders);

  // Removes what was downloaded or unpacked for `parts`, and its records.
  void remove_downloads(std::span<const CorpusPart> parts) const;
  // Removes the outputs of a completion record.
  void remove_outputs(const OutputFolder& folder, const CompletionRecord& record) const;
  // Does nothing to a folder that holds something.
  void remove_empty_folder(const std::filesystem::path& folder) const;

 private:
  bool hold(const std::filesystem::path& path) const;
  void remove_download(const std::filesystem::path& path) const;
  void remove_file(const std::filesystem::path& file, const std::filesystem::path& state) const;

  std::vector<std::filesystem::path> folders_;  // without symlinks
};

// Whether `what` is among those of the comma-separated list that options.work.keep is.
bool keeps(const WorkOptions& work, std::string_view what);

// Removes what a finished run downloaded for `parts`, its formatted file and its text shards unless they are to be
// kept: below WORK alone, and only what OwnedFiles knows to be the run's own. Their completion records stay, so that
// the run is known to be done.
void remove_unkept(const RunLayout& layout, std::span<const CorpusPart> parts, const PipelineOptions& options);

}  // namespace bertprep
