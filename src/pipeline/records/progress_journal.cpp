#include "pipeline/records/progress_journal.h"

#include <system_error>

#include "io/pending_file.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kStageInterval{2};

bool has_journal_of_this_process(const fs::path& state) {
  const auto report = ProgressReport::find(state);
  return report && report->is_alive() && report->process.is_this_process();
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
    : ProgressJournal(ProgressReport::of_this_process(stage), kStageInterval, observer) {
  for (const fs::path& state : states) {
    if (!has_journal_of_this_process(state)) add_file(state / ProgressReport::kFileName, state / "partial");
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

}  // namespace bertprep
