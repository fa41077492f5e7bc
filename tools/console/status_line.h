// StatusLine: the progress on stderr. On a terminal one line that is written over and goes at the end; elsewhere a line
// each time.
//
// While the line stands, the cursor is at its beginning: a terminal that is made narrower wraps the line below the
// cursor, where the next writing clears it.
#pragma once

#include <string>

#include "console/progress_line.h"

namespace bertprep::cli {

class StatusLine {
 public:
  // With `prints_events` stdout has events; when it is a terminal, too, no line is drawn between them.
  explicit StatusLine(bool prints_events);
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  bool is_on_terminal() const { return is_on_terminal_; }
  void show(const ProgressFigures& figures);
  // Something to read, on a line of its own above the progress.
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
