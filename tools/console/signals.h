// Signals that ask the program to stop: finished work is kept, and the same command resumes.
#pragma once

namespace bertprep::cli {

// Begins to record SIGINT and SIGTERM; a second one ends the program at once.
void watch_signals();
// Lets SIGINT and SIGTERM end the program at once again: for filters, which have no work to keep and may wait for a
// terminal.
void end_at_signals();
// Sets whether the terminal shows a progress line, which a second signal then clears.
void clear_line_when_ended(bool is_shown);
// The recorded signal, or 0.
int signal_received();

}  // namespace bertprep::cli
