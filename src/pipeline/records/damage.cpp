#include "pipeline/records/damage.h"

#include <system_error>

#include "io/digest.h"
#include "io/file_system.h"
#include "io/folder.h"
#include "io/record_files.h"
#include "io/state_folder.h"
#include "pipeline/work/workers.h"
#include "shard/shard_names.h"
#include "stream/open_stream.h"

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

bool is_no_older(const fs::path& file, fs::file_time_type recorded) {
  std::error_code error;
  const fs::file_time_type written = fs::last_write_time(file, error);
  return !error && written >= recorded;
}

// After a full disk or a power failure, a file is empty, ends within a compressed stream or has zeros.
bool is_text(const fs::path& file) {
  try {
    const auto stream = open_stream(file);
    std::string_view block = stream->next_block();
    if (block.empty()) return false;
    for (; !block.empty(); block = stream->next_block()) {
      if (block.find('\0') != std::string_view::npos) return false;
    }
    return true;
  } catch (const FormatError&) {
    return false;
  }
}

std::vector<fs::path> edited_outputs(const OutputFolder& folder, const std::string& task) {
  std::vector<fs::path> edited;
  const auto record = folder.record(task);
  const auto recorded = folder.recorded_at(task);
  if (!record || !recorded) return edited;
  for (const OutputEntry& output : record->outputs) {
    const fs::path file = folder.path() / output.name;
    if (!fs::is_regular_file(fs::symlink_status(file)) || !is_no_older(file, *recorded)) continue;
    if (sha256_of_file(file) != output.sha256 && is_text(file)) edited.push_back(file);
  }
  return edited;
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

// Another process of the same run may do this concurrently: the rename fails if the name is taken.
void keep_aside(const fs::path& file, Progress& progress) {
  fs::path kept;
  int number = 0;
  do {
    kept = file.string() + ".changed-" + std::to_string(++number);
  } while (!rename_if_free(file, kept));
  progress.note(file.string() + " was changed since it was made: it is kept as " + kept.filename().string() +
                ", and made again");
}

void keep_edited(const OutputFolder& folder, const std::string& task, Progress& progress) {
  for (const fs::path& file : edited_outputs(folder, task)) keep_aside(file, progress);
}

void refuse_edited(const OutputFolder& folder, const std::string& task) {
  const std::vector<fs::path> edited = edited_outputs(folder, task);
  if (edited.empty()) return;
  throw FormatError("was changed since it was made", edited.front(),
                    "choose another folder, or replace it with `force`");
}

}  // namespace bertprep
