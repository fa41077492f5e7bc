#include "pipeline/kept_files.h"

#include <system_error>

namespace bertprep {

namespace fs = std::filesystem;

bool keeps(const WorkOptions& work, std::string_view what) {
  const std::string list = "," + work.keep + ",";
  return list.find("," + std::string(what) + ",") != std::string::npos;
}

void remove_unkept(const RunLayout& layout, const PipelineOptions& options) {
  std::error_code ignored;
  if (!keeps(options.work, "formatted")) fs::remove(layout.formatted, ignored);
  if (keeps(options.work, "sharded")) return;
  for (const fs::path& path : text_shard_paths(layout.text_shards, options)) fs::remove(path, ignored);
  fs::remove(layout.text_shards, ignored);
}

}  // namespace bertprep
