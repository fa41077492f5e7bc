// Verifies intermediate files: those of a work folder against the completion records of their tasks.
#include <algorithm>
#include <optional>

#include "base/stage_errors.h"
#include "bertprep/base/error.h"
#include "bertprep/pipeline/stages.h"
#include "io/digest.h"
#include "io/folder.h"
#include "io/state_folder.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/stages/origins_file.h"
#include "pipeline/work/serial_progress.h"
#include "pipeline/work/workers.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

struct RecordedFile {
  fs::path path;
  OutputEntry output;
  std::string stage;
};

struct Survey {
  std::vector<RecordedFile> files;
  std::vector<std::string> problems;
};

// The path of an output: its name, or the unfinished file that is yet to be renamed.
std::optional<fs::path> find_output(const fs::path& folder, const fs::path& state, const OutputEntry& output) {
  std::error_code error;
  if (fs::is_regular_file(folder / output.name, error)) return folder / output.name;
  const fs::path partial = state / "partial" / output.partial;
  if (!output.partial.empty() && fs::is_regular_file(partial, error)) return partial;
  return std::nullopt;
}

std::string hint(const std::string& stage) {
  const std::string again = "run the command again";
  return stage.empty() ? again : again + ": its stage '" + stage + "' remakes it";
}

// Files that are all missing were removed by --keep or by hand, and are made again if needed.
void add_record(const fs::path& folder, const fs::path& state, const CompletionRecord& record, Survey& survey) {
  std::vector<RecordedFile> there;
  std::vector<std::string> lost;
  for (const OutputEntry& output : record.outputs) {
    if (const auto path = find_output(folder, state, output)) {
      there.push_back({*path, output, std::string(record.stage())});
    } else {
      lost.push_back((folder / output.name).string() + ": is missing, but other files of its task exist; " +
                     hint(std::string(record.stage())));
    }
  }
  // They stay when the others are removed, unless the user removes them.
  if (const auto origins = recorded_origins(record)) {
    if (const auto path = find_output(folder, state, *origins)) {
      survey.files.push_back({*path, *origins, std::string(record.stage())});
    }
  }
  if (there.empty()) return;
  survey.files.insert(survey.files.end(), there.begin(), there.end());
  survey.problems.insert(survey.problems.end(), lost.begin(), lost.end());
}

void add_state(const fs::path& folder, const fs::path& state, Survey& survey) {
  std::vector<fs::path> records;
  for (const auto& entry : list_folder_if_any(state / "records")) {
    if (entry.path().extension() == ".json") records.push_back(entry.path());
  }
  for (const fs::path& file : records) {
    try {
      add_record(folder, state, read_record(file), survey);
    } catch (const Error& error_of_record) {
      if (std::error_code gone; !fs::exists(file, gone)) continue;  // replaced just now
      survey.problems.push_back(file.string() + ": can't be read as a completion record: " + error_of_record.what() +
                                "; remove it and run the command again");
    }
  }
}

Survey survey_of(const fs::path& work, const Progress& progress) {
  Survey survey;
  std::vector<fs::path> states;
  walk_folder(work, [&](const fs::directory_entry& entry) {
    if (progress.cancelled()) throw Cancelled();
    std::error_code error;
    if (entry.is_directory(error) && folder_of_state(entry.path())) states.push_back(entry.path());
    return may_be_read(entry);
  });
  std::sort(states.begin(), states.end());
  for (const fs::path& state : states) add_state(*folder_of_state(state), state, survey);
  return survey;
}

std::string fault_of(const RecordedFile& file, const Progress& progress) {
  const std::uint64_t bytes = fs::file_size(file.path);
  const std::string says = ", its completion record says ";
  if (bytes != file.output.size_bytes) {
    return "has " + std::to_string(bytes) + " bytes" + says + std::to_string(file.output.size_bytes);
  }
  const std::string sha256 = sha256_of_file(file.path, progress);
  return sha256 == file.output.sha256 ? std::string() : "has sha256 " + sha256 + says + file.output.sha256;
}

}  // namespace

WorkReport verify_work(const fs::path& work, const WorkOptions& options, Progress& observer) try {
  SerialProgress progress(observer);
  if (!fs::is_directory(work)) throw IoError("is not a folder", work.string(), "give the work folder of a run");
  Survey survey = survey_of(work, progress);
  WorkReport report{.files = survey.files.size(), .bytes = 0, .problems = std::move(survey.problems)};
  std::vector<std::string> faults(survey.files.size());
  progress.begin("verify", survey.files.size(), "files");
  for_each_task(survey.files.size(), static_cast<std::size_t>(options.threads), progress, [&](std::size_t i) {
    try {
      faults[i] = fault_of(survey.files[i], progress);
    } catch (const IoError& error) {
      faults[i] = error.what();
    } catch (const fs::filesystem_error& error) {
      faults[i] = error.what();
    }
    progress.advance(1);
  });
  progress.end();
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const RecordedFile& file = survey.files[i];
    report.bytes += file.output.size_bytes;
    if (!faults[i].empty())
      report.problems.push_back(file.path.string() + ": " + faults[i] + "; remove it and " + hint(file.stage));
  }
  return report;
} catch (...) {
  rethrow_as_error("verifying");
}

}  // namespace bertprep
