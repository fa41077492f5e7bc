#include "pipeline/array/attempt.h"

#include <algorithm>
#include <chrono>

#include "bertprep/base/error.h"
#include "io/folder.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kInterval{10};
constexpr const char* kEnding = ".json";

std::string file_name(const ProgressReport& report) {
  std::string host = report.process.host;
  std::ranges::replace(host, '/', '-');
  return report.stage + "." + std::to_string(report.attempt->share.task) + "." + host + "." +
         std::to_string(report.process.pid) + "-" + std::to_string(report.process.start) + kEnding;
}

ProgressReport report_of(std::string_view stage, const ArrayAttempt& attempt) {
  ProgressReport report = ProgressReport::of_this_process(stage);
  report.attempt = attempt;
  return report;
}

}  // namespace

Attempt::Attempt(const fs::path& folder, std::string_view stage, const ArrayAttempt& attempt, Progress& observer)
    : ProgressJournal(report_of(stage, attempt), kInterval, observer) {
  add_file(folder / file_name(report_of(stage, attempt)), folder);
  write();
}

Attempt::~Attempt() {
  if (!has_failed_) remove_files();
}

void Attempt::fail(const std::string& error) {
  has_failed_ = true;
  write([&](ProgressReport& report) { report.error = error; });
}

std::vector<ProgressReport> read_attempts(const fs::path& folder) {
  std::vector<ProgressReport> reports;
  for (const auto& entry : list_folder_if_any(folder)) {
    if (entry.path().extension() != kEnding) continue;
    try {
      ProgressReport report = ProgressReport::from_json(read_json(entry.path()));
      if (report.attempt) reports.push_back(std::move(report));
    } catch (const Error&) {
      continue;  // removed just now
    }
  }
  return reports;
}

}  // namespace bertprep
