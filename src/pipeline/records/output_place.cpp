#include "pipeline/records/output_place.h"

#include <cerrno>
#include <system_error>
#include <vector>

#include "base/address.h"
#include "bertprep/base/error.h"
#include "io/file_system.h"
#include "io/folder.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// The folder that exists, at or above `path`, and whether the path below it is hidden from readers.
struct ExistingFolder {
  fs::path folder;
  bool hides = false;
};

ExistingFolder nearest_folder(const fs::path& path) {
  std::error_code error;
  ExistingFolder nearest{fs::absolute(path, error).lexically_normal()};
  while (!fs::is_directory(nearest.folder, error) && nearest.folder.has_relative_path()) {
    nearest.hides = nearest.hides || is_hidden(nearest.folder);
    nearest.folder = nearest.folder.parent_path();
  }
  return nearest;
}

[[noreturn]] void refuse_inside(const fs::path& output) {
  throw ConfigError("is in a folder of the input: the next call would read it as input", output,
                    "write to a place outside the input folder");
}

// Making a folder there would say that a file exists.
void refuse_loose_link(const fs::path& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error) || fs::exists(path, error)) return;
  throw IoError("is a link to " + fs::read_symlink(path, error).string() + ", which does not exist", path,
                "make the folder there, or choose another one");
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

// Like list_inputs(), follows symlinks and skips hidden folders.
void InputGuard::add_folder(const fs::path& folder) {
  const auto identity = identity_of(folder);
  if (!identity || !folders_.insert(*identity).second) return;
  std::error_code error;
  for (const auto& entry : list_folder(folder, error)) {
    if (!is_hidden(entry.path())) add(entry.path());
  }
}

void InputGuard::refuse_inputs(const fs::path& folder, std::span<const std::string> names) const {
  std::error_code error;
  std::set<FileIdentity> seen;
  // A path through a folder that does not exist yet leads somewhere once the folder is made.
  for (const fs::path& place : {folder / ".", fs::absolute(folder, error).lexically_normal()}) {
    const auto folder_identity = identity_of(place);
    if (!folder_identity || !seen.insert(*folder_identity).second || is_empty_folder(place)) continue;
    for (const std::string& name : names) {
      const auto identity = identity_of(place / name);
      if (!identity || !files_.contains(*identity)) continue;
      throw ConfigError("is read as input and would be overwritten", folder / name, "give the output another name");
    }
  }
}

void InputGuard::refuse_file(const fs::path& output) const {
  const std::string name = output.filename();
  refuse_inputs(output.parent_path(), {&name, 1});
  refuse_folder(output);
}

void InputGuard::refuse_files(const fs::path& folder, std::span<const std::string> names) const {
  refuse_inputs(folder, names);
  refuse_folder(folder);
}

void InputGuard::refuse_folder(const fs::path& output) const {
  const ExistingFolder nearest = nearest_folder(output);
  const auto identity = identity_of(nearest.folder);
  if (!nearest.hides && identity && folders_.contains(*identity)) refuse_inside(output);
}

void refuse_run_over_input(std::span<const CorpusPart> parts, const BuildFolders& folders, const RunLayout& layout,
                           const PipelineOptions& options) {
  const InputGuard guard(parts);
  guard.refuse_folder(folders.output);
  guard.refuse_folder(layout.work);
  guard.refuse_file(layout.formatted);
  guard.refuse_folder(layout.extracted);
  std::vector<std::string> text_shards, shards;
  for (const fs::path& shard : text_shard_paths(layout.text_shards, options)) {
    text_shards.push_back(shard.filename());
    shards.push_back(shard.filename().replace_extension(".hdf5"));
  }
  guard.refuse_files(layout.text_shards, text_shards);
  for (const InstancePhase& phase : layout.phases) guard.refuse_files(phase.folder, shards);
}

void require_output_folder(const fs::path& folder) {
  refuse_address(folder.native());
  std::error_code error;
  fs::path present = fs::absolute(folder).lexically_normal();
  for (;; present = present.parent_path()) {
    refuse_loose_link(present);
    if (fs::exists(present, error) || !present.has_relative_path()) break;
  }
  if (!fs::is_directory(present)) throw IoError::from_errno("is not a folder", present, ENOTDIR);
  refuse_unwritable(present);
}

void require_output_file(const fs::path& file) {
  const fs::file_status status = fs::symlink_status(file);
  if (!file.has_filename() || fs::is_directory(status)) throw IoError::from_errno("can't be written", file, EISDIR);
  require_output_folder(folder_of(file));
  if (!fs::exists(status) || fs::is_regular_file(status) || fs::is_symlink(status)) return;
  throw FormatError("is not a file", file, "give another name");
}

void make_output_folder(const fs::path& folder) {
  refuse_address(folder.native());
  refuse_loose_link(folder);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError::from_errno("the folder can't be created", folder, error.value());
  if (!fs::is_directory(folder)) throw IoError::from_errno("is not a folder", folder, ENOTDIR);
}

void refuse_unwritable(const fs::path& folder) {
  const std::error_code why = why_not_writable(folder);
  if (why) throw IoError::from_errno("the folder can't be written", folder, why.value());
}

}  // namespace bertprep
