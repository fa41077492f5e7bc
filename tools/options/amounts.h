// Amounts for display.
#pragma once

#include <cstdint>
#include <string>

#include "base/number_text.h"

namespace bertprep::cli {

std::string count_text(std::uint64_t count);                            // "1,234"; "-" for 0
std::string bytes_text(std::uint64_t bytes);                            // "11.9 MB", decimal units
std::string duration_text(double seconds);                              // "0.8 s", "3 min 20 s", "2 h 5 min"
std::string rounded_duration_text(double seconds);                      // in whole seconds: "1 s"
std::string megabytes_per_second(std::uint64_t bytes, double seconds);  // "25.3"

}  // namespace bertprep::cli
