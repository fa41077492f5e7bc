#include "pipeline/records/damage.h"

#include <system_error>

#include "io/digest.h"
#include "io/folder.h"
#include "io/record_files.h"
#include "io/state_folder.h"
#include "pipeline/work/workers.h"
#include "shard/shard_names.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kChanged = "has changed since it was written";
constexpr const char* kChangedHint = "remake it with the command that wrote it, or give `force` to use it as it is";
constexpr const char* kDamaged = "is damaged: its bytes differ from those that were written";

bool is_as_recorded(const fs::path& file, const OutputEntry& output) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  return !error && size == output.size_bytes && sha256_of_file(file) == output.sha256;
}

}  // namespace

std::optional<std::string> withdraw_if_damaged(const OutputFolder& folder, const std::string& task) {
  const auto record = folder.record(task);
  if (!record) return std::nullopt;
  for (const OutputEntry& output : record->outputs) {
    if (is_as_recorded(folder.path() / output.name, output)) continue;
    folder.withdraw_record(task);
    return output.name;
  }
  return std::nullopt;
}

void require_intact(const OutputFolder& folder, const std::string& task, const std::string& hint) {
  const auto damaged = withdraw_if_damaged(folder, task);
  if (damaged) throw DamageError(kDamaged, folder.path() / *damaged, hint);
}

RecordedTexts::ByName RecordedTexts::read(const fs::path& folder) {
  ByName texts;
  const auto state = find_state_folder(folder);
  if (!state) return texts;
  RecordFiles records(*state);
  for (const std::string& task : records.tasks()) {
    try {
      const auto bytes = records.read(task);
      if (!bytes) continue;
      const CompletionRecord record = parse_record(*bytes, {});
      for (const OutputEntry& output : record.outputs) {
        const Json* text = record.counts.find("text_sha256");
        texts[output.name] = {text != nullptr ? text->text() : output.sha256, output.sha256};
      }
    } catch (const Error&) {
      continue;  // replaced just now, or damaged: its outputs are unknown
    }
  }
  return texts;
}

RecordedTexts::Digests RecordedTexts::find(const fs::path& file) {
  const fs::path folder = fs::absolute(file).parent_path();
  const std::string name = file.filename().string();
  if (const Digests* digests = find_in(folder, name)) return *digests;
  // `extract` writes to folders in its own, AA/wiki_00.
  const Digests* digests = find_in(folder.parent_path(), folder.filename().string() + "/" + name);
  return digests == nullptr ? Digests() : *digests;
}

const RecordedTexts::Digests* RecordedTexts::find_in(const fs::path& folder, const std::string& name) {
  auto known = folders_.find(folder);
  if (known == folders_.end()) known = folders_.emplace(folder, read(folder)).first;
  const auto found = known->second.find(name);
  return found == known->second.end() ? nullptr : &found->second;
}

void require_recorded(const fs::path& file, const std::string& recorded, const std::string& sha256) {
  if (recorded.empty() || recorded == sha256) return;
  throw DamageError(kChanged, file, kChangedHint);
}

void require_recorded(std::span<const fs::path> files, const Progress& progress) {
  RecordedTexts recorded;
  for (const fs::path& file : files) {
    const std::string sha256 = recorded.file_sha256(file);
    if (!sha256.empty() && sha256_of_file(file, progress) != sha256) throw FormatError(kChanged, file, kChangedHint);
  }
}

void require_recorded_shards(std::span<const fs::path> shards, const WorkOptions& work, Progress& progress) {
  if (shards.empty()) return;
  const RecordedFiles recorded(folder_of(shards.front()));
  if (recorded.is_empty()) return;
  progress.begin("check", shards.size(), "shards");
  for_each_task(shards.size(), static_cast<std::size_t>(work.threads), progress, [&](std::size_t i) {
    recorded.require_unchanged(shards[i], progress);
    progress.advance(1);
  });
  progress.end();
}

}  // namespace bertprep
