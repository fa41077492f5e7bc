#include "pipeline/records/owned_files.h"

#include <algorithm>
#include <system_error>

#include "fetch/fetched_record.h"
#include "io/folder.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Where the name really is; the last component stays a symlink if it is one.
fs::path resolved(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error).lexically_normal();
  return fs::weakly_canonical(absolute.parent_path(), error) / absolute.filename();
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto [at, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return at == folder.end() && rest != path.end();
}

// The hidden folder beside the one that holds a dataset's downloads.
fs::path state_beside(const fs::path& folder) {
  return folder.parent_path() / ("." + folder.filename().string() + ".bertprep");
}

}  // namespace

OwnedFiles::OwnedFiles(std::span<const fs::path> folders) {
  for (const fs::path& folder : folders) {
    std::error_code error;
    const fs::path real = fs::canonical(folder, error);
    if (!error) folders_.push_back(real);
  }
}

bool OwnedFiles::hold(const fs::path& path) const {
  std::error_code error;
  if (fs::is_symlink(path, error)) return false;
  const fs::path real = resolved(path);
  return std::any_of(folders_.begin(), folders_.end(), [&](const fs::path& folder) { return is_below(real, folder); });
}

void OwnedFiles::remove_downloads(std::span<const CorpusPart> parts) const {
  for (const CorpusPart& part : parts) {
    for (const fs::path& path : part.downloads) remove_download(path);
  }
}

// A folder of books is either unpacked as a whole or filled book by book.
void OwnedFiles::remove_download(const fs::path& path) const {
  std::error_code error;
  if (!hold(path)) return;
  const fs::path real = resolved(path);
  const fs::path state = state_beside(real.parent_path());
  if (!fs::is_directory(real, error)) {
    remove_file(real, state);
  } else if (is_as_unpacked(real, state)) {
    remove_tree(real, error);
  } else {
    for (const auto& entry : list_folder(real, error)) remove_file(entry.path(), state);
    remove_empty_folder(real);
  }
}

void OwnedFiles::remove_file(const fs::path& file, const fs::path& state) const {
  const auto record = find_record(file, state);
  std::error_code ignored;
  if (record && record->is_made && hold(file)) fs::remove(file, ignored);
}

void OwnedFiles::remove_outputs(const OutputFolder& folder, const CompletionRecord& record) const {
  for (const OutputEntry& output : record.outputs) {
    const fs::path file = folder.path() / output.name;
    std::error_code error;
    if (hold(file) && fs::file_size(file, error) == output.size_bytes && !error) fs::remove(file, error);
  }
}

void OwnedFiles::remove_empty_folder(const fs::path& folder) const {
  std::error_code ignored;
  if (hold(folder) && fs::is_directory(folder, ignored)) fs::remove(folder, ignored);
}

}  // namespace bertprep
