#include "batch/job_amounts.h"

#include <array>
#include <cstdio>
#include <regex>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr std::uint64_t kMinuteSeconds = 60;
constexpr std::uint64_t kHourSeconds = 60 * kMinuteSeconds;
constexpr std::uint64_t kDaySeconds = 24 * kHourSeconds;

std::uint64_t seconds_of_unit(char unit) {
  if (unit == 'd') return kDaySeconds;
  if (unit == 'h') return kHourSeconds;
  return unit == 'm' ? kMinuteSeconds : 1;
}

std::uint64_t number_of_match(const std::ssub_match& match) {
  return match.matched ? std::stoull(match.str()) : 0;
}

}  // namespace

std::uint64_t task_memory_mib(const std::string& text) {
  static const std::regex kAmount("([0-9]{1,7})([MGTmgt])");
  std::smatch match;
  if (!std::regex_match(text, match, kAmount)) {
    throw ConfigError("--task-memory '" + text + "' is not a valid amount of memory", {},
                      "write it like 16G or 15000M");
  }
  const std::uint64_t number = std::stoull(match[1]);
  const char unit = static_cast<char>(match[2].str()[0] | 0x20);
  const std::uint64_t mib = unit == 'm' ? number : unit == 'g' ? number << 10U : number << 20U;
  constexpr std::uint64_t kLeastMib = 256;
  if (mib < kLeastMib) throw ConfigError("--task-memory " + text + " is too little", {}, "give at least 256M");
  return mib;
}

std::uint64_t attempt_seconds(const std::string& text) {
  static const std::regex kAmount("([0-9]{1,6})([smhd])");
  static const std::regex kClock("(?:([0-9]{1,3})-)?([0-9]{1,3}):([0-9]{2}):([0-9]{2})");
  std::smatch match;
  std::uint64_t seconds = 0;
  if (std::regex_match(text, match, kAmount)) {
    seconds = std::stoull(match[1]) * seconds_of_unit(match[2].str()[0]);
  } else if (std::regex_match(text, match, kClock)) {
    seconds = number_of_match(match[1]) * kDaySeconds + number_of_match(match[2]) * kHourSeconds +
              number_of_match(match[3]) * kMinuteSeconds + number_of_match(match[4]);
  } else {
    throw ConfigError("--time '" + text + "' is not a valid time", {}, "write it like 90m, 8h, 2d or 1-12:00:00");
  }
  if (seconds < kMinuteSeconds) throw ConfigError("--time " + text + " is too short", {}, "give at least a minute");
  return seconds;
}

std::string slurm_time(std::uint64_t seconds) {
  std::array<char, 32> text{};
  const auto part = [](std::uint64_t value) { return static_cast<unsigned>(value); };
  std::snprintf(text.data(), text.size(), "%u-%02u:%02u:%02u", part(seconds / kDaySeconds),
                part(seconds % kDaySeconds / kHourSeconds), part(seconds % kHourSeconds / kMinuteSeconds),
                part(seconds % kMinuteSeconds));
  return text.data();
}

}  // namespace bertprep
