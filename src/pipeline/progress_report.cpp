#include "pipeline/progress_report.h"

#include <algorithm>
#include <chrono>

namespace bertprep {
namespace {

constexpr std::uint64_t kFreshSeconds = 30;

}  // namespace

std::uint64_t seconds_since_1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(now).count());
}

ProgressReport ProgressReport::of_this_process() {
  ProgressReport report;
  report.process = ProcessIdentity::of_this_process();
  report.time_seconds = seconds_since_1970();
  return report;
}

Json ProgressReport::to_json() const {
  return Json::object()
      .add("stage", Json::string(stage))
      .add("done", Json::number(done))
      .add("total", Json::number(total))
      .add("unit", Json::string(unit))
      .add("work", Json::string(work.string()))
      .add("host", Json::string(process.host))
      .add("pid", Json::number(process.pid))
      .add("process-start", Json::number(process.start))
      .add("time", Json::number(time_seconds));
}

ProgressReport ProgressReport::from_json(const Json& json) {
  ProgressReport report;
  report.stage = json.at("stage").text();
  report.done = json.at("done").as_unsigned();
  report.total = json.at("total").as_unsigned();
  report.unit = json.at("unit").text();
  report.work = json.at("work").text();
  report.process.host = json.at("host").text();
  report.process.pid = json.at("pid").as_unsigned();
  report.process.start = json.at("process-start").as_unsigned();
  report.time_seconds = json.at("time").as_unsigned();
  return report;
}

bool ProgressReport::is_alive() const {
  if (process.is_of_this_machine()) return process.is_alive();
  const std::uint64_t now = seconds_since_1970();
  return now < time_seconds + kFreshSeconds;
}

double ProgressReport::fraction() const {
  return total == 0 ? 0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
}

}  // namespace bertprep
