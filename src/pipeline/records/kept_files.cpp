#include "pipeline/records/kept_files.h"

#include <array>

#include "pipeline/records/output_folder.h"
#include "pipeline/records/owned_files.h"
#include "pipeline/records/recipe.h"

namespace bertprep {

namespace fs = std::filesystem;

namespace {

void remove_outputs(const OwnedFiles& owned, const fs::path& folder_path, const std::string& task) {
  const auto folder = OutputFolder::find_shared(folder_path);
  const auto record = folder ? folder->record(task) : std::nullopt;
  if (record) owned.remove_outputs(*folder, *record);
}

}  // namespace

bool keeps(const WorkOptions& work, std::string_view what) {
  const std::string list = "," + work.keep + ",";
  return list.find("," + std::string(what) + ",") != std::string::npos;
}

void remove_unkept(const RunLayout& layout, std::span<const CorpusPart> parts, const PipelineOptions& options) {
  const OwnedFiles owned(std::array{layout.work});
  if (!keeps(options.work, "download")) owned.remove_downloads(parts);
  if (!keeps(options.work, "formatted")) {
    remove_outputs(owned, layout.formatted.parent_path(), layout.formatted.filename().string());
  }
  if (keeps(options.work, "sharded") || layout.text_shards.empty()) return;
  remove_outputs(owned, layout.text_shards, shard_task_name(options.corpus.name));
  owned.remove_empty_folder(layout.text_shards);
}

}  // namespace bertprep
