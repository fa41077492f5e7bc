#include "pipeline/records/owned_files.h"

#include <algorithm>
#include <array>
#include <string>
#include <system_error>
#include <utility>

#include "base/fields.h"
#include "fetch/fetched_record.h"
#include "io/folder.h"
#include "io/state_folder.h"
#include "pipeline/records/recipe.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::pair<std::string_view, bool KeptFiles::*> kKinds[] = {{"download", &KeptFiles::download},
                                                                     {"extracted", &KeptFiles::extracted},
                                                                     {"formatted", &KeptFiles::formatted},
                                                                     {"sharded", &KeptFiles::sharded}};

// The real path of the name; a symlink in the last component is not resolved.
fs::path resolved(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error).lexically_normal();
  return fs::weakly_canonical(absolute.parent_path(), error) / absolute.filename();
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto [at, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return at == folder.end() && rest != path.end();
}

void remove_outputs(const OwnedFiles& owned, const fs::path& folder_path, const std::string& task) {
  const auto folder = OutputFolder::find_shared(folder_path);
  const auto record = folder ? folder->record(task) : std::nullopt;
  if (record) owned.remove_outputs(*folder, *record);
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

std::string text_of(const KeptFiles& kept) {
  std::string text;
  for (const auto& [name, member] : kKinds) {
    if (kept.*member) text.append(text.empty() ? "" : ",").append(name);
  }
  return text;
}

KeptFiles kept_files(std::string_view text) {
  KeptFiles kept{false, false, false, false};
  while (!text.empty()) {
    const std::string_view kind = text.substr(0, text.find(','));
    check_choice("keep", kind, "download|extracted|formatted|sharded");
    kept.*std::ranges::find(kKinds, kind, &std::pair<std::string_view, bool KeptFiles::*>::first)->second = true;
    text.remove_prefix(std::min(kind.size() + 1, text.size()));
  }
  return kept;
}

void remove_unkept(const RunLayout& layout, std::span<const CorpusPart> parts, const PipelineOptions& options) {
  const OwnedFiles owned(std::array{layout.work});
  if (!options.work.keep.download) owned.remove_downloads(parts);
  if (!options.work.keep.formatted) {
    remove_outputs(owned, layout.formatted.parent_path(), layout.formatted.filename().string());
  }
  if (options.work.keep.sharded || layout.text_shards.empty()) return;
  remove_outputs(owned, layout.text_shards, shard_task_name(options.corpus.name));
  owned.remove_empty_folder(layout.text_shards);
}

}  // namespace bertprep
