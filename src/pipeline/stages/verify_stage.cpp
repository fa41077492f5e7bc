#include <algorithm>
#include <iterator>

#include "base/fields.h"
#include "base/stage_errors.h"
#include "bertprep/base/error.h"
#include "bertprep/pipeline/stages.h"
#include "bertprep/shard/manifest.h"
#include "bertprep/shard/shard_reader.h"
#include "io/digest.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "io/record_files.h"
#include "io/state_folder.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/stages/origins_file.h"
#include "pipeline/text_shards/shard_assignment.h"
#include "pipeline/work/serial_progress.h"
#include "pipeline/work/workers.h"
#include "quality/croissant.h"
#include "shard/folder_gaps.h"
#include "shard/shard_check.h"
#include "shard/shard_names.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRecord = "its completion record";

struct ExpectedShape {
  std::optional<std::size_t> seq_len;
  std::optional<std::size_t> max_predictions;
  std::int32_t vocab_size = 0;
};

struct FileReport {
  std::optional<ShardShape> shape;  // nothing if it can't be opened
  std::uint64_t bytes = 0;
  std::vector<std::string> problems;

  std::uint64_t rows() const { return shape ? shape->rows : 0; }
};

// What a file has instead of what `who` says; empty: it has that.
std::string fault_of(const fs::path& file, std::uint64_t bytes, const std::string& sha256, const std::string& who,
                     const Progress& progress) {
  const std::string says = ", " + who + " says ";
  const std::uint64_t size = fs::file_size(file);
  if (size != bytes) return "has " + std::to_string(size) + " bytes" + says + std::to_string(bytes);
  const std::string found = sha256_of_file(file, progress);
  return found == sha256 ? std::string() : "has sha256 " + found + says + sha256;
}

std::optional<std::size_t> recipe_number(const Manifest& manifest, const std::string& name) {
  const auto text = manifest.recipe_value(name);
  if (!text) return std::nullopt;
  return static_cast<std::size_t>(parse_integer(name, *text));
}

ExpectedShape expected_shape(const std::optional<Manifest>& manifest) {
  if (!manifest) return {};
  return {recipe_number(*manifest, "seq-len"), recipe_number(*manifest, "max-predictions"),
          static_cast<std::int32_t>(recipe_number(*manifest, "vocab-size").value_or(0))};
}

std::string lengths_of(const ShardShape& shape) {
  return std::to_string(shape.seq_len) + " tokens and " + counted(shape.max_predictions, "prediction");
}

void check_shape(const ShardShape& shape, const ExpectedShape& expected, FileReport& report) {
  if (expected.seq_len.value_or(shape.seq_len) != shape.seq_len ||
      expected.max_predictions.value_or(shape.max_predictions) != shape.max_predictions) {
    report.problems.push_back("rows have " + lengths_of(shape) + ", the manifest says " +
                              std::to_string(*expected.seq_len) + " and " + std::to_string(*expected.max_predictions));
  }
}

void check_all_rows(ShardReader& reader, std::int32_t vocab_size, const Progress& progress, FileReport& report) {
  const ShardShape shape = reader.shape();
  const std::size_t rows = reader.rows_at_once();
  Batch batch;
  for (std::size_t first = 0; first < shape.rows && report.problems.size() < kMaxRowFaults; first += rows) {
    if (progress.cancelled()) throw Cancelled();
    reader.read(first, std::min(rows, shape.rows - first), batch);
    for (std::string& fault : check_rows(batch, shape, first, vocab_size)) report.problems.push_back(std::move(fault));
  }
}

// The manifest's entry for a shard or, without a manifest, its completion record.
struct ExpectedShardFile {
  std::string who;  // "the manifest"
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  std::string sha256;
};

// A record that is not a shard's counts as missing.
std::optional<ExpectedShardFile> expected_by_record(const fs::path& path) try {
  const auto record = find_record(path.parent_path(), path.stem().string());
  if (!record || record->outputs.size() != 1 || record->outputs.front().name != path.filename()) return std::nullopt;
  const OutputEntry& output = record->outputs.front();
  return ExpectedShardFile{kRecord, record->counts.at("rows").as_unsigned(), output.size_bytes, output.sha256};
} catch (const FormatError&) {
  return std::nullopt;
}

std::optional<ExpectedShardFile> expected_shard(const std::optional<Manifest>& manifest, const fs::path& path) {
  if (!manifest) return expected_by_record(path);
  const ManifestShard* expected = manifest->shard(path.filename().string());
  if (expected == nullptr) return std::nullopt;
  return ExpectedShardFile{"the manifest", expected->rows, expected->bytes, expected->sha256};
}

void check_against(const ExpectedShardFile& expected, const fs::path& path, const Progress& progress,
                   FileReport& report) {
  const std::string fault = fault_of(path, expected.bytes, expected.sha256, expected.who, progress);
  if (!fault.empty()) report.problems.push_back(fault);
  if (report.rows() != expected.rows) {
    report.problems.push_back("has " + counted(report.rows(), "row") + ", " + expected.who + " says " +
                              std::to_string(expected.rows));
  }
}

FileReport check_file(const fs::path& path, const std::optional<Manifest>& manifest, const Progress& progress) {
  FileReport report;
  report.bytes = fs::file_size(path);
  try {
    ShardReader reader(path);
    report.shape = reader.shape();
    const ExpectedShape expected = expected_shape(manifest);
    check_shape(reader.shape(), expected, report);
    check_all_rows(reader, expected.vocab_size, progress, report);
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& error) {
    report.problems.push_back(error.what());
  }
  if (const auto expected = expected_shard(manifest, path)) {
    check_against(*expected, path, progress, report);
  } else if (manifest) {
    report.problems.push_back("is not in the manifest");
  }
  return report;
}

// All rows of a folder are for one model; which of two lengths is right can't be decided.
void require_same_lengths(std::span<const fs::path> shards, std::vector<FileReport>& files) {
  const FileReport* first = nullptr;
  for (FileReport& file : files) {
    if (!file.shape) continue;
    if (first == nullptr) first = &file;
    const ShardShape& expected = *first->shape;
    if (file.shape->seq_len == expected.seq_len && file.shape->max_predictions == expected.max_predictions) continue;
    file.problems.push_back("rows have " + lengths_of(*file.shape) + ", those of " +
                            shards[static_cast<std::size_t>(first - files.data())].filename().string() + " " +
                            lengths_of(expected));
  }
}

// A missing one is reported as a gap of the folder.
void check_vocab(const fs::path& folder, const std::optional<Manifest>& manifest, VerifyReport& report) {
  const fs::path file = folder / ManifestVocab::kFileName;
  if (!manifest || !manifest->vocabulary || !fs::exists(file)) return;
  const std::string sha256 = sha256_of_file(file);
  if (sha256 == manifest->vocabulary->sha256) return;
  report.problems.push_back(file.string() + ": has sha256 " + sha256 + ", the manifest says " +
                            manifest->vocabulary->sha256);
}

// Outdated digests: loaders that check them refuse the dataset.
void check_croissant(const fs::path& folder, const std::optional<Manifest>& manifest, VerifyReport& report) try {
  const fs::path file = folder / kCroissantFileName;
  if (!manifest || !fs::is_regular_file(file)) return;
  for (const std::string& name : outdated_files(read_file(file), file.string(), *manifest)) {
    report.problems.push_back(file.string() + ": has another sha256 of " + name +
                              " than the manifest: run bertprep croissant --force");
  }
} catch (const FormatError& error) {
  report.problems.push_back(error.what());
}

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

WorkReport verify_survey(Survey survey, const WorkOptions& options, Progress& progress) {
  WorkReport report{.files = survey.files.size(), .bytes = 0, .problems = std::move(survey.problems)};
  std::ranges::move(survey.unreadable, std::back_inserter(report.problems));
  std::vector<std::string> faults(survey.files.size());
  progress.begin("verify", survey.files.size(), "files");
  for_each_task(survey.files.size(), static_cast<std::size_t>(options.threads), progress, [&](std::size_t i) {
    try {
      const auto& [path, output, stage] = survey.files[i];
      faults[i] = fault_of(path, output.size_bytes, output.sha256, kRecord, progress);
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

VerifyReport verify_shards(const fs::path& folder, const WorkOptions& work, Progress& observer) try {
  SerialProgress progress(observer);
  const std::vector<fs::path> shards = shard_paths(folder);
  if (shards.empty()) throw FormatError("contains no .hdf5 or .h5 file", folder);
  std::optional<Manifest> manifest;
  if (fs::exists(folder / Manifest::kFileName)) manifest = Manifest::load(folder / Manifest::kFileName);

  std::vector<FileReport> files(shards.size());
  progress.begin("verify", shards.size(), "shards");
  for_each_task(shards.size(), static_cast<std::size_t>(work.threads), progress, [&](std::size_t i) {
    files[i] = check_file(shards[i], manifest, progress);
    progress.advance(1);
  });
  progress.end();

  if (!manifest) require_same_lengths(shards, files);
  VerifyReport report;
  report.shards = shards.size();
  for (std::size_t i = 0; i < shards.size(); ++i) {
    report.rows += files[i].rows();
    report.bytes += files[i].bytes;
    const std::string path = shards[i].string();
    for (const std::string& problem : files[i].problems) {
      report.problems.push_back(problem.starts_with(path) ? problem : path + ": " + problem);
    }
  }
  check_vocab(folder, manifest, report);
  check_croissant(folder, manifest, report);
  for (const FolderGap& gap : find_gaps(folder)) {
    report.problems.push_back((folder / gap.file).string() + ": " + gap.text);
  }
  return report;
} catch (...) {
  rethrow_as_error("verifying");
}

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
