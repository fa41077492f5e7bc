// Verifies files that are no shards against the completion records of their tasks: those of a work folder, and what
// single commands wrote.
#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <set>

#include "base/stage_errors.h"
#include "bertprep/base/error.h"
#include "bertprep/pipeline/stages.h"
#include "io/digest.h"
#include "io/folder.h"
#include "io/record_files.h"
#include "io/state_folder.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/stages/origins_file.h"
#include "pipeline/text_shards/assignment_file.h"
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
  std::vector<std::string> problems;    // missing files
  std::vector<std::string> unreadable;  // records
};

// Whether the record of a task counts; it is null where it can't be read.
using Wanted = std::function<bool(const std::string& task, const CompletionRecord* record)>;

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

void add_state(const fs::path& folder, const fs::path& state, const Wanted& wanted, Survey& survey) {
  for (const fs::path& file : damaged_assignments(state)) {
    survey.problems.push_back(file.string() + ": is damaged: it says which articles are in which text shard; " +
                              hint("shard"));
  }
  RecordFiles records(state);
  for (const std::string& task : records.tasks()) {
    const fs::path file = records.file_of(task);
    try {
      const auto bytes = records.read(task);
      if (!bytes) continue;
      const CompletionRecord record = parse_record(*bytes, {});
      if (wanted(task, &record)) add_record(folder, state, record, survey);
    } catch (const Error& error_of_record) {
      if (!wanted(task, nullptr)) continue;
      if (!records.read(task)) continue;  // replaced just now
      survey.unreadable.push_back(file.string() + ": can't be read as a completion record: " + error_of_record.what() +
                                  "; remove it and run the command again");
    }
  }
}

Survey survey_of(const fs::path& folder, const Wanted& wanted, const Progress& progress) {
  Survey survey;
  std::set<fs::path> states;
  walk_folder(folder, [&](const fs::directory_entry& entry) {
    if (progress.cancelled()) throw Cancelled();
    std::error_code error;
    if (entry.is_directory(error) && folder_of_state(entry.path())) states.insert(entry.path());
    return may_be_read(entry);
  });
  if (const auto own = find_state_folder(folder)) states.insert(*own);
  for (const fs::path& state : states) add_state(*folder_of_state(state), state, wanted, survey);
  return survey;
}

// Below `folder`. A record that can't be read counts unless it is that of a shard.
Survey results_in(const fs::path& folder, const Progress& progress) {
  return survey_of(
      folder,
      [](const std::string& task, const CompletionRecord* record) {
        return record == nullptr ? fs::path(task).has_extension() : record->is_of_text();
      },
      progress);
}

// One file, which a record of one of the folders above it names: extracted files are in folders of their own.
Survey result_at(const fs::path& file) {
  Survey survey;
  fs::path folder = fs::absolute(file).lexically_normal().parent_path();
  fs::path name = file.filename();
  for (int level = 0; level < 2; ++level) {
    const auto wanted = [&](const std::string& task, const CompletionRecord* record) {
      return record == nullptr ? task == name : record->is_of_text();
    };
    Survey all;
    if (const auto state = find_state_folder(folder)) add_state(folder, *state, wanted, all);
    std::ranges::move(all.unreadable, std::back_inserter(survey.unreadable));
    for (const RecordedFile& other : all.files) {
      if (other.output.name == name) survey.files.push_back({file, other.output, other.stage});
    }
    name = folder.filename() / name;
    folder = folder.parent_path();
  }
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

WorkReport verify_survey(Survey survey, const WorkOptions& options, Progress& progress) {
  WorkReport report{.files = survey.files.size(), .bytes = 0, .problems = std::move(survey.problems)};
  std::ranges::move(survey.unreadable, std::back_inserter(report.problems));
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
}

}  // namespace

WorkReport verify_work(const fs::path& work, const WorkOptions& options, Progress& observer) try {
  SerialProgress progress(observer);
  if (!fs::is_directory(work)) throw IoError("is not a folder", work.string(), "give the work folder of a run");
  return verify_survey(survey_of(
                           work, [](const auto&...) { return true; }, progress),
                       options, progress);
} catch (...) {
  rethrow_as_error("verifying");
}

WorkReport verify_results(const fs::path& path, const WorkOptions& options, Progress& observer) try {
  SerialProgress progress(observer);
  Survey survey = fs::is_directory(path) ? results_in(path, progress) : result_at(path);
  if (survey.files.empty() && survey.problems.empty() && survey.unreadable.empty()) return {};
  return verify_survey(std::move(survey), options, progress);
} catch (...) {
  rethrow_as_error("verifying");
}

}  // namespace bertprep
