#include "pipeline/array/attempt.h"

#include <utility>

#include "bertprep/base/error.h"
#include "io/folder.h"
#include "io/pending_file.h"
#include "pipeline/work/progress_report.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kInterval{10};
constexpr const char* kEnding = ".json";

std::string file_name(const AttemptReport& report) {
  std::string host = report.process.host;
  for (char& c : host) {
    if (c == '/') c = '-';
  }
  return report.stage + "." + std::to_string(report.share.task) + "." + host + "." +
         std::to_string(report.process.pid) + "-" + std::to_string(report.process.start) + kEnding;
}

}  // namespace

Json AttemptReport::to_json() const {
  return Json::object()
      .add("stage", Json::string(stage))
      .add("task", Json::number(share.task))
      .add("count", Json::number(share.count))
      .add("engine", Json::string(origin.engine))
      .add("job", Json::string(origin.job))
      .add("attempt", Json::string(origin.attempt))
      .add("host", Json::string(process.host))
      .add("pid", Json::number(process.pid))
      .add("process-start", Json::number(process.start))
      .add("begun", Json::number(begun_seconds))
      .add("seen", Json::number(seen_seconds))
      .add("error", Json::string(error));
}

AttemptReport AttemptReport::from_json(const Json& json) {
  AttemptReport report;
  report.stage = json.at("stage").text();
  report.share = {json.at("task").as_unsigned(), json.at("count").as_unsigned()};
  report.origin = {json.at("engine").text(), json.at("job").text(), json.at("attempt").text()};
  report.process.host = json.at("host").text();
  report.process.pid = json.at("pid").as_unsigned();
  report.process.start = json.at("process-start").as_unsigned();
  report.begun_seconds = json.at("begun").as_unsigned();
  report.seen_seconds = json.at("seen").as_unsigned();
  report.error = json.at("error").text();
  return report;
}

std::vector<AttemptReport> read_attempts(const fs::path& folder) {
  std::vector<AttemptReport> reports;
  for (const auto& entry : list_folder_if_any(folder)) {
    if (entry.path().extension() != kEnding) continue;
    try {
      reports.push_back(AttemptReport::from_json(read_json(entry.path())));
    } catch (const Error&) {
      continue;  // removed just now
    }
  }
  return reports;
}

Attempt::Attempt(fs::path folder, AttemptReport report, Progress& observer)
    : ForwardingProgress(observer), folder_(std::move(folder)), report_(std::move(report)) {
  report_.process = ProcessIdentity::of_this_process();
  report_.begun_seconds = seconds_since_1970();
  file_ = folder_ / file_name(report_);
  write();
}

Attempt::~Attempt() {
  std::error_code ignored;
  if (report_.error.empty()) fs::remove(file_, ignored);
}

void Attempt::fail(const std::string& error) {
  const std::lock_guard lock(mutex_);
  report_.error = error;
  write();
}

bool Attempt::cancelled() const {
  if (const std::unique_lock lock(mutex_, std::try_to_lock); lock.owns_lock()) write_now_and_then();
  return ForwardingProgress::cancelled();
}

void Attempt::write_now_and_then() const {
  if (report_.error.empty() && Clock::now() - written_ >= kInterval) write();
}

void Attempt::write() const {
  written_ = Clock::now();
  report_.seen_seconds = seconds_since_1970();
  try {
    publish_bytes(file_, folder_, report_.to_json().dump());
  } catch (const std::exception&) {
    return;  // perhaps the disk is full: the task will report it
  }
}

}  // namespace bertprep
