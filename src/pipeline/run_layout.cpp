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
  if (options.sharding.is_resolved()) layout.text_shards = work / sharded_folder_name(options.sharding) / name;
  for (const InstanceOptions& phase : options.phases()) {
    layout.phases.push_back({phase, folders.output / hdf5_folder_name(phase, options.tokenizer.lower_case) / name});
  }
  return layout;
}

std::size_t shard_count(const ShardingOptions& options) {
  return options.is_resolved() ? static_cast<std::size_t>(options.train_shards + options.test_shards) : 0;
}

std::string shard_name(const PipelineOptions& options, std::size_t shard) {
  const auto training = static_cast<std::size_t>(options.sharding.train_shards);
  return shard < training ? training_name(options.corpus.name, shard)
                          : test_name(options.corpus.name, shard - training);
}

std::vector<fs::path> text_shard_paths(const fs::path& folder, const PipelineOptions& options) {
  std::vector<fs::path> paths;
  for (std::size_t shard = 0; shard < shard_count(options.sharding); ++shard) {
    paths.push_back(folder / (shard_name(options, shard) + ".txt"));
  }
  return paths;
}

}  // namespace bertprep
