#include "pipeline/records/progress_journal.h"

#include <system_error>

#include "io/input_file.h"
#include "io/pending_file.h"
#include "pipeline/records/output_folder.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kInterval{2};
constexpr const char* kPartial = "partial";

bool has_journal_of_this_process(const fs::path& state) {
  const auto report = ProgressReport::find(state);
  return report && report->is_alive() && report->process.is_this_process();
}

void publish_state(const fs::path& state, const char* name, const std::string& bytes) {
  fs::create_directories(state / kPartial);
  publish_bytes(state / name, state / kPartial, bytes);
}

// Whether run.json in `file` says the same. It may have numbers of shards that this run does not yet know.
bool holds(const fs::path& file, const RunDescription& run) {
  if (!fs::exists(file)) return false;
  const std::string bytes = read_file(file);
  if (bytes == run.to_bytes()) return true;
  if (!run.text_shards.empty()) return false;
  try {
    RunDescription earlier = RunDescription::from_bytes(bytes, file.string());
    earlier.text_shards.clear();
    if (run.train_shards == 0) earlier.train_shards = 0;
    if (run.test_shards == 0) earlier.test_shards = 0;
    return earlier.to_json().dump() == run.to_json().dump();
  } catch (const Error&) {
    return false;
  }
}

// The live process, other than this one, with a report there.
std::optional<ProcessIdentity> process_at_work(const fs::path& state) {
  const auto report = ProgressReport::find(state);
  if (!report || !report->is_alive() || report->process.is_this_process()) return std::nullopt;
  return report->process;
}

// Refuses if another process is making a different run in the same folders. Equal runs may work simultaneously: they
// leave the same bytes.
void refuse_other_process(const RunDescription& run, const fs::path& output) {
  for (const RunPhase& phase : run.phases) {
    const auto folder = OutputFolder::find_shared(output / phase.folder);
    if (!folder || holds(folder->state_folder() / RunDescription::kFileName, run)) continue;
    // Equal runs share the report, and the first to end removes it.
    const auto other = process_at_work(folder->state_folder());
    if (!other && !FolderUse::is_seen(folder->state_folder())) continue;
    const std::string who = other ? ": process " + std::to_string(other->pid) + " on " + other->host : "";
    throw FormatError("another run is working here" + who, output / phase.folder,
                      "wait until it ends, or give this run another `name` or `output`");
  }
}

void remove_if_empty(const fs::path& folder) {
  std::error_code ignored;
  fs::remove(folder, ignored);
}

}  // namespace

bool ProgressJournal::cancelled() const {
  if (const std::unique_lock lock(mutex_, std::try_to_lock); lock.owns_lock()) write_now_and_then();
  return ForwardingProgress::cancelled();
}

void ProgressJournal::add_file(fs::path file, fs::path partial) {
  files_.push_back({std::move(file), std::move(partial)});
}

void ProgressJournal::remove_files() {
  const std::lock_guard lock(mutex_);
  is_over_ = true;
  std::error_code ignored;
  for (const File& file : files_) fs::remove(file.path, ignored);
}

void ProgressJournal::write_now_and_then() const {
  if (!is_over_ && Clock::now() - written_ >= interval_) write_now();
}

void ProgressJournal::write_now() const {
  written_ = Clock::now();
  report_.time_seconds = seconds_since_1970();
  const std::string bytes = report_.to_json().dump();
  for (const File& file : files_) {
    try {
      if (file.partial != file.path.parent_path()) fs::create_directories(file.partial);
      publish_bytes(file.path, file.partial, bytes);
    } catch (const std::exception&) {
      continue;  // perhaps the disk is full: the work will report it
    }
  }
}

StageJournal::StageJournal(const std::vector<fs::path>& states, std::string_view stage, Progress& observer)
    : ProgressJournal(ProgressReport::of_this_process(stage), kInterval, observer) {
  for (const fs::path& state : states) {
    if (!has_journal_of_this_process(state)) add_file(state / ProgressReport::kFileName, state / kPartial);
  }
  write();
}

void StageJournal::begin(std::string_view step, std::uint64_t total, std::string_view unit) {
  write([&](ProgressReport& report) {
    is_checking_ = step != report.stage;
    report.done = 0;
    report.total = is_checking_ ? 0 : total;
    report.unit = is_checking_ ? "" : unit;
  });
  ForwardingProgress::begin(step, total, unit);
}

void StageJournal::advance(std::uint64_t amount) {
  update([&](ProgressReport& report) {
    report.done += amount;
    has_made_any_ = has_made_any_ || !is_checking_;
  });
  ForwardingProgress::advance(amount);
}

void StageJournal::fail(const std::string& error) {
  if (!has_made_any_) return remove_files();
  write([&](ProgressReport& report) { report.error = error; });
}

void write_run_description(const BuildFolders& folders, const RunDescription& run) {
  for (const RunPhase& phase : run.phases) {
    try {
      const auto folder = OutputFolder::find_shared(folders.output / phase.folder);
      if (!folder || holds(folder->state_folder() / RunDescription::kFileName, run)) continue;
      publish_state(folder->state_folder(), RunDescription::kFileName, run.to_bytes());
    } catch (const std::exception&) {
      continue;
    }
  }
}

RunJournal::RunJournal(const BuildFolders& folders, const RunDescription& run, Progress& observer)
    : ProgressJournal(ProgressReport::of_this_process("start"), kInterval, observer) {
  // Held from checking for other runs until they can see this one. Of several that start at once, the first continues.
  const FolderLock start(folders.output, observer);
  refuse_other_process(run, folders.output);
  for (const RunPhase& phase : run.phases) {
    try {
      const fs::path result = folders.output / phase.folder;
      const OutputFolder folder(result);
      const fs::path file = folder.state_folder() / RunDescription::kFileName;
      places_.push_back({result, folder.state_folder(), !fs::exists(file)});
      if (!holds(file, run)) publish_state(folder.state_folder(), RunDescription::kFileName, run.to_bytes());
      add_file(folder.state_folder() / ProgressReport::kFileName, folder.state_folder() / kPartial);
      uses_.emplace_back(folder.state_folder());
    } catch (const std::exception&) {
      continue;  // the stage that needs the folder reports the error
    }
  }
  write([&](ProgressReport& report) {
    std::error_code ignored;
    report.work = fs::absolute(work_folder(folders), ignored);
  });
}

RunJournal::~RunJournal() {
  write();
}

void RunJournal::withdraw() {
  if (finished_a_stage_) return;
  finish();
  std::error_code ignored;
  for (const Place& place : places_) {
    if (!place.is_new) continue;
    fs::remove(place.state / RunDescription::kFileName, ignored);
    fs::remove(place.state / RunPlaces::kFileName, ignored);
    remove_if_empty(place.state / kPartial);
    remove_if_empty(place.state / "records");
    remove_if_empty(place.state);
    remove_if_empty(place.folder);
    remove_if_empty(place.folder.parent_path());
  }
}

void RunJournal::fail(const std::string& error) {
  update([&](ProgressReport& report) { report.error = error; });
}

void RunJournal::finish() {
  uses_.clear();
  remove_files();
}

void RunJournal::expect(std::span<const ExpectedSpan> spans) {
  meter_.expect(spans);
  ForwardingProgress::expect(spans);
}

void RunJournal::begin(std::string_view stage, std::uint64_t total, std::string_view unit) {
  update([&](ProgressReport& report) {
    report.stage = stage;
    report.done = 0;
    report.total = total;
    report.unit = unit;
  });
  meter_.begin(stage, total, unit, now());
  ForwardingProgress::begin(stage, total, unit);
  take_share();
}

void RunJournal::advance(std::uint64_t amount) {
  update([&](ProgressReport& report) { report.done += amount; });
  meter_.advance(amount, now());
  ForwardingProgress::advance(amount);
  take_share();
}

void RunJournal::end() {
  finished_a_stage_ = finished_a_stage_ || meter_.stage() != "check";
  meter_.end(now());
  ForwardingProgress::end();
  take_share();
}

std::optional<RunShare> RunJournal::run_share() const {
  const std::optional<RunShare> seen = ForwardingProgress::run_share();
  return seen ? seen : meter_.share(now());
}

void RunJournal::take_share() {
  const std::optional<RunShare> share = run_share();
  update([&](ProgressReport& report) { report.run = *share; });
}

double RunJournal::now() const {
  return std::chrono::duration<double>(Clock::now() - begun_).count();
}

}  // namespace bertprep
