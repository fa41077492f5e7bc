#include "pipeline/records/edited_files.h"

#include <system_error>
#include <vector>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/file_system.h"
#include "stream/open_stream.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

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
