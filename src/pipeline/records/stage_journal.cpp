#include "pipeline/records/stage_journal.h"

#include <system_error>

#include "io/pending_file.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kProgressInterval{2};

bool has_journal_of_this_process(const fs::path& state) {
  const auto report = ProgressReport::find(state);
  return report && report->is_alive() && report->process.is_of_this_machine() &&
         report->process.pid == ProcessIdentity::of_this_process().pid;
}

}  // namespace

StageJournal::StageJournal(std::vector<fs::path> states, std::string_view stage, Progress& observer)
    : ForwardingProgress(observer), states_(std::move(states)), report_(ProgressReport::of_this_process()) {
  std::erase_if(states_, has_journal_of_this_process);
  report_.stage = stage;
  write();
}

void StageJournal::begin(std::string_view step, std::uint64_t total, std::string_view unit) {
  {
    const std::lock_guard lock(mutex_);
    is_checking_ = step != report_.stage;
    report_.done = 0;
    report_.total = is_checking_ ? 0 : total;
    report_.unit = is_checking_ ? "" : unit;
    write();
  }
  ForwardingProgress::begin(step, total, unit);
}

void StageJournal::advance(std::uint64_t amount) {
  {
    const std::lock_guard lock(mutex_);
    report_.done += amount;
    has_made_any_ = has_made_any_ || !is_checking_;
    if (Clock::now() - written_ >= kProgressInterval) write();
  }
  ForwardingProgress::advance(amount);
}

void StageJournal::finish() {
  std::error_code ignored;
  for (const fs::path& state : states_) fs::remove(state / ProgressReport::kFileName, ignored);
}

void StageJournal::fail(const char* error) {
  if (!has_made_any_) return finish();
  report_.error = error;
  write();
}

void StageJournal::write() {
  written_ = Clock::now();
  report_.time_seconds = seconds_since_1970();
  const std::string bytes = report_.to_json().dump();
  for (const fs::path& state : states_) {
    try {
      fs::create_directories(state / "partial");
      publish_bytes(state / ProgressReport::kFileName, state / "partial", bytes);
    } catch (const std::exception&) {
      continue;  // perhaps the disk is full: the stage will report it
    }
  }
}

}  // namespace bertprep
