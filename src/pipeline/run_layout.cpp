#include "pipeline/run_layout.h"

#include "pipeline/folder_names.h"

namespace bertprep {

namespace fs = std::filesystem;

fs::path work_folder(const BuildFolders& folders) {
  return folders.work.empty() ? default_work_folder(folders.output) : folders.work;
}

RunLayout layout_of(const BuildFolders& folders, const PipelineOptions& options) {
  const std::string& name = options.corpus.name;
  const fs::path work = work_folder(folders);
  const bool keeps_lines = options.sentences.sentences == "lines";
  RunLayout layout;
  layout.work = work;
  layout.extracted = work / "extracted" / name;
  layout.formatted =
      work / kFormattedFolder / ((keeps_lines ? sentence_lines_file_name(name) : formatted_file_name(name)) + ".zst");
  layout.text_shards = work / sharded_folder_name(options.sharding) / name;
  for (const InstanceOptions& phase : options.phases()) {
    layout.phases.push_back({phase, folders.output / hdf5_folder_name(phase, options.tokenizer.lower_case) / name});
  }
  return layout;
}

std::vector<fs::path> text_shard_paths(const fs::path& folder, const PipelineOptions& options) {
  std::vector<fs::path> paths;
  for (std::int64_t i = 0; i < options.sharding.train_shards; ++i) {
    paths.push_back(folder / (training_name(options.corpus.name, static_cast<std::size_t>(i)) + ".txt"));
  }
  for (std::int64_t i = 0; i < options.sharding.test_shards; ++i) {
    paths.push_back(folder / (test_name(options.corpus.name, static_cast<std::size_t>(i)) + ".txt"));
  }
  return paths;
}

}  // namespace bertprep
