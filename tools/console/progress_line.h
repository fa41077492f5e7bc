// The line that shows how far a command is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "bertprep/base/progress.h"

namespace bertprep::cli {

// What the line says.
struct ProgressFigures {
  std::string stage;
  std::string unit;
  std::uint64_t done = 0;
  std::uint64_t total = 0;     // 0: not known
  std::optional<double> rate;  // of the span, in units a second
  RunShare run{};
};

// "2/3 format [#####-----]  41 %  35.1 MB of 106.3 MB  25.3 MB/s  3 min 20 s left" for a terminal: at most `columns`
// wide, which decides what is left out. With `colour` there are escape sequences in it that take no room.
std::string terminal_line(const ProgressFigures& figures, std::size_t columns, bool colour);
// The same in full, for a file.
std::string plain_line(const ProgressFigures& figures);
// "  41 %": never more than is done.
std::string percent_text(double fraction);

}  // namespace bertprep::cli
