#include "pipeline/run_journal.h"

#include <exception>
#include <system_error>

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "io/pending_file.h"
#include "pipeline/output_folder.h"
#include "pipeline/run_description.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kInterval{2};

constexpr const char* kPartial = "partial";

// The folder for unfinished files goes when a stage is done.
void publish_state(const fs::path& state, const char* name, const std::string& bytes) {
  fs::create_directories(state / kPartial);
  publish_bytes(state / name, state / kPartial, bytes);
}

bool holds(const fs::path& file, const std::string& bytes) {
  return fs::exists(file) && read_file(file) == bytes;
}

void remove_if_empty(const fs::path& folder) {
  std::error_code ignored;
  fs::remove(folder, ignored);
}

}  // namespace

RunJournal::RunJournal(const BuildFolders& folders, const PipelineOptions& options, Progress& observer)
    : observer_(observer), report_(ProgressReport::of_this_process()) {
  const std::string description = describe_run(folders, options).to_json().dump();
  std::error_code ignored;
  report_.work = fs::absolute(work_folder(folders), ignored);
  report_.stage = "start";
  for (const InstancePhase& phase : layout_of(folders, options).phases) {
    try {
      const OutputFolder folder(phase.folder);
      const fs::path file = folder.state_folder() / RunDescription::kFileName;
      places_.push_back({phase.folder, folder.state_folder(), !fs::exists(file)});
      if (!holds(file, description)) publish_state(folder.state_folder(), RunDescription::kFileName, description);
    } catch (const std::exception&) {
      continue;  // the stage that needs the folder says what is wrong with it
    }
  }
  write_now();
}

RunJournal::~RunJournal() {
  if (!over_) write_now();
}

void RunJournal::finish() {
  remove_reports();
}

void RunJournal::withdraw() {
  if (finished_a_stage_) return;
  remove_reports();
  std::error_code ignored;
  for (const Place& place : places_) {
    if (!place.is_new) continue;
    fs::remove(place.state / RunDescription::kFileName, ignored);
    remove_if_empty(place.state / "records");
    remove_if_empty(place.state);
    remove_if_empty(place.folder);
    remove_if_empty(place.folder.parent_path());
  }
}

void RunJournal::remove_reports() {
  const std::lock_guard lock(mutex_);
  over_ = true;
  std::error_code ignored;
  for (const Place& place : places_) {
    fs::remove(place.state / ProgressReport::kFileName, ignored);
    remove_if_empty(place.state / kPartial);
  }
}

void RunJournal::begin(std::string_view stage, std::uint64_t total, std::string_view unit) {
  {
    const std::lock_guard lock(mutex_);
    report_.stage = stage;
    report_.done = 0;
    report_.total = total;
    report_.unit = unit;
    write_now_and_then();
  }
  observer_.begin(stage, total, unit);
}

void RunJournal::advance(std::uint64_t amount) {
  {
    const std::lock_guard lock(mutex_);
    report_.done += amount;
    write_now_and_then();
  }
  observer_.advance(amount);
}

void RunJournal::skipped(const SkippedRecord& record) {
  observer_.skipped(record);
}

void RunJournal::remarked(const RecordRemark& remark) {
  observer_.remarked(remark);
}

void RunJournal::note(std::string_view text) {
  observer_.note(text);
}

void RunJournal::end() {
  finished_a_stage_ = true;
  observer_.end();
}

bool RunJournal::cancelled() const {
  if (const std::unique_lock lock(mutex_, std::try_to_lock); lock.owns_lock()) write_now_and_then();
  return observer_.cancelled();
}

void RunJournal::write_now_and_then() const {
  if (!over_ && Clock::now() - written_ >= kInterval) write_now();
}

void RunJournal::write_now() const {
  written_ = Clock::now();
  report_.time_seconds = seconds_since_1970();
  const std::string bytes = report_.to_json().dump();
  for (const Place& place : places_) {
    try {
      publish_state(place.state, ProgressReport::kFileName, bytes);
    } catch (const std::exception&) {
      continue;  // perhaps the disk is full: the run finds out by itself
    }
  }
}

}  // namespace bertprep
