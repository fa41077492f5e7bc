#include "pipeline/work/progress_report.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/number_text.h"
#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr std::uint64_t kFreshSeconds = 30;
// Attempts report every ten seconds; clocks of machines may differ somewhat.
constexpr std::uint64_t kFreshSecondsOfAttempts = 60;

// A century: longer durations can't be shown.
constexpr double kMaxSeconds = 3.2e9;

double number_of(const Json& json) {
  const auto value = number_in<double>(json.text());
  if (!value || !std::isfinite(*value)) throw FormatError("'" + json.text() + "' is not a number");
  return *value;
}

RunShare run_of(const Json& json) {
  RunShare run;
  if (const Json* fraction = json.find("run-fraction")) run.fraction = std::clamp(number_of(*fraction), 0.0, 1.0);
  const Json* left = json.find("run-seconds-left");
  const double seconds = left == nullptr ? kMaxSeconds : std::max(0.0, number_of(*left));
  if (seconds < kMaxSeconds) run.seconds_left = seconds;
  return run;
}

}  // namespace

std::uint64_t seconds_since_1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(now).count());
}

ProgressReport ProgressReport::of_this_process(std::string_view stage) {
  ProgressReport report;
  report.stage = stage;
  report.process = ProcessIdentity::of_this_process();
  report.time_seconds = seconds_since_1970();
  return report;
}

Json ProgressReport::to_json() const {
  Json json = Json::object();
  json.add("stage", Json::string(stage))
      .add("done", Json::number(done))
      .add("total", Json::number(total))
      .add("unit", Json::string(unit))
      .add("run-fraction", Json::real(run.fraction));
  if (run.seconds_left) json.add("run-seconds-left", Json::real(*run.seconds_left));
  json.add("work", Json::string(work.string()))
      .add("host", Json::string(process.host))
      .add("pid", Json::number(process.pid))
      .add("process-start", Json::number(process.start))
      .add("time", Json::number(time_seconds));
  if (!error.empty()) json.add("error", Json::string(error));
  if (attempt) {
    json.add("task", Json::number(attempt->share.task))
        .add("count", Json::number(attempt->share.count))
        .add("engine", Json::string(attempt->origin.engine))
        .add("job", Json::string(attempt->origin.job))
        .add("attempt", Json::string(attempt->origin.attempt));
  }
  return json;
}

ProgressReport ProgressReport::from_json(const Json& json) {
  ProgressReport report;
  report.stage = json.at("stage").text();
  report.done = json.at("done").as_unsigned();
  report.total = json.at("total").as_unsigned();
  report.unit = json.at("unit").text();
  report.run = run_of(json);
  report.work = json.at("work").text();
  report.process.host = json.at("host").text();
  report.process.pid = json.at("pid").as_unsigned();
  report.process.start = json.at("process-start").as_unsigned();
  report.time_seconds = json.at("time").as_unsigned();
  if (const Json* error = json.find("error")) report.error = error->text();
  if (json.find("task") != nullptr) {
    report.attempt = {{json.at("task").as_unsigned(), json.at("count").as_unsigned()},
                      {json.at("engine").text(), json.at("job").text(), json.at("attempt").text()}};
  }
  return report;
}

std::optional<ProgressReport> ProgressReport::find(const std::filesystem::path& state) try {
  const std::filesystem::path file = state / kFileName;
  return std::filesystem::exists(file) ? std::optional(from_json(read_json(file))) : std::nullopt;
} catch (const Error&) {
  return std::nullopt;
}

bool ProgressReport::is_alive() const {
  if (!error.empty()) return false;
  if (process.is_of_this_machine()) return process.is_alive();
  const std::uint64_t now = seconds_since_1970();
  return now < time_seconds + (attempt ? kFreshSecondsOfAttempts : kFreshSeconds);
}

double ProgressReport::fraction() const {
  return total == 0 ? 0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
}

}  // namespace bertprep
