// StatusLine: the progress on stderr. On a terminal, one line that is overwritten, and removed at the end; elsewhere, a
// line each time.
//
// While the line is shown, the cursor is at its beginning: if the terminal becomes narrower, it wraps the line below
// the cursor, where the next output clears it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "bertprep/base/progress.h"

namespace bertprep::cli {

// Whether `descriptor` is a terminal with colours, and NO_COLOR is not set.
bool shows_colours(int descriptor);

// "41 %": rounded down.
std::string percent_text(double fraction);

// The content of the line.
struct ProgressFigures {
  std::string stage;
  std::string unit;
  std::uint64_t done = 0;
  std::uint64_t total = 0;     // 0: unknown
  std::optional<double> rate;  // of the span, in units per second
  RunShare run{};
};

class StatusLine {
 public:
  // With `prints_events`, stdout has events; if it is also a terminal, no line is shown between them.
  explicit StatusLine(bool prints_events);
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  bool is_on_terminal() const { return is_on_terminal_; }
  void show(const ProgressFigures& figures);
  // Prints a line above the progress.
  void print_above(const std::string& text);
  void clear();

 private:
  void draw() const;

  bool is_on_terminal_;
  bool has_colour_;
  bool is_shown_ = false;
  ProgressFigures figures_;
};

}  // namespace bertprep::cli
