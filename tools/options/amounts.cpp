#include "options/amounts.h"

#include <array>
#include <cmath>

namespace bertprep::cli {

std::string count_text(std::uint64_t count) {
  return count == 0 ? "-" : grouped(count);
}

std::string bytes_text(std::uint64_t bytes) {
  static constexpr std::array kUnits = {"B", "kB", "MB", "GB", "TB", "PB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return decimal(value, unit == 0 ? 0 : 1) + " " + kUnits[unit];
}

std::string duration_text(double seconds) {
  if (seconds < 60) return decimal(seconds, 1) + " s";
  const auto whole = static_cast<std::uint64_t>(std::lround(seconds));
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

std::string rounded_duration_text(double seconds) {
  return seconds < 59.5 ? decimal(seconds, 0) + " s" : duration_text(seconds);
}

std::string megabytes_per_second(std::uint64_t bytes, double seconds) {
  return seconds > 0 ? decimal(static_cast<double>(bytes) / 1e6 / seconds, 1) : "-";
}

}  // namespace bertprep::cli
