#include "pipeline/records/input_guard.h"

#include <system_error>

#include "bertprep/base/error.h"
#include "io/folder.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& path) {
  return path.filename().native().starts_with('.');
}

// The folder that exists, at or above `path`, and whether what is to be made below it is hidden from readers.
struct Ground {
  fs::path folder;
  bool hides = false;
};

Ground ground_of(const fs::path& path) {
  std::error_code error;
  Ground ground{fs::absolute(path, error).lexically_normal()};
  while (!fs::is_directory(ground.folder, error) && ground.folder.has_relative_path()) {
    ground.hides = ground.hides || is_hidden(ground.folder);
    ground.folder = ground.folder.parent_path();
  }
  return ground;
}

[[noreturn]] void refuse_inside(const fs::path& output) {
  throw ConfigError("is in a folder of the input: the next call would read it as input", output,
                    "write to a place outside the input folder");
}

}  // namespace

InputGuard::InputGuard(std::span<const fs::path> inputs) {
  for (const fs::path& input : inputs) add(input);
}

InputGuard::InputGuard(std::span<const CorpusPart> parts) {
  for (const CorpusPart& part : parts) {
    for (const fs::path& input : part.inputs) add(input);
    if (!part.wiki.templates.empty()) add(part.wiki.templates);
  }
}

void InputGuard::add(const fs::path& input) {
  std::error_code error;
  const auto identity = identity_of(input);
  if (!identity) return;
  if (fs::is_directory(input, error)) {
    add_folder(input);
  } else {
    files_.insert(*identity);
  }
}

// As list_inputs() looks for files: through symlinks, and not in hidden folders.
void InputGuard::add_folder(const fs::path& folder) {
  const auto identity = identity_of(folder);
  if (!identity || !folders_.insert(*identity).second) return;
  std::error_code error;
  for (const auto& entry : list_folder(folder, error)) {
    if (!is_hidden(entry.path())) add(entry.path());
  }
}

void InputGuard::refuse_file(const fs::path& output) const {
  std::error_code error;
  // A path through a folder that does not exist yet leads somewhere once the folder is made.
  for (const fs::path& path : {output, fs::absolute(output, error).lexically_normal()}) {
    const auto identity = identity_of(path);
    if (!identity || !files_.contains(*identity)) continue;
    throw ConfigError("is read as input and would be overwritten", output, "give the output another name");
  }
  refuse_folder(output);
}

void InputGuard::refuse_folder(const fs::path& output) const {
  const Ground ground = ground_of(output);
  const auto identity = identity_of(ground.folder);
  if (!ground.hides && identity && folders_.contains(*identity)) refuse_inside(output);
}

void refuse_run_over_input(std::span<const CorpusPart> parts, const BuildFolders& folders, const RunLayout& layout,
                           const PipelineOptions& options) {
  const InputGuard guard(parts);
  guard.refuse_folder(folders.output);
  guard.refuse_folder(layout.work);
  guard.refuse_file(layout.formatted);
  guard.refuse_folder(layout.extracted);
  for (const fs::path& shard : text_shard_paths(layout.text_shards, options)) {
    guard.refuse_file(shard);
    for (const InstancePhase& phase : layout.phases) {
      guard.refuse_file(phase.folder / shard.filename().replace_extension(".hdf5"));
    }
  }
}

}  // namespace bertprep
