// The line that shows a command's progress.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "bertprep/base/progress.h"

namespace bertprep::cli {

// The content of the line.
struct ProgressFigures {
  std::string stage;
  std::string unit;
  std::uint64_t done = 0;
  std::uint64_t total = 0;     // 0: unknown
  std::optional<double> rate;  // of the span, in units per second
  RunShare run{};
};

// "2/3 format [#####-----]  41 %  35.1 MB of 106.3 MB  25.3 MB/s  3 min 20 s left" for a terminal: at most `columns`
// wide; parts that don't fit are left out. With `colour`, it also has escape sequences of no width.
std::string terminal_line(const ProgressFigures& figures, std::size_t columns, bool colour);
// The same in full, for a file.
std::string plain_line(const ProgressFigures& figures);
// "  41 %": rounded down.
std::string percent_text(double fraction);

}  // namespace bertprep::cli
