// Signals that ask the program to stop: finished work is kept, and the same command resumes.
#pragma once

namespace bertprep::cli {

// SIGINT and SIGTERM are remembered from now on; a second one ends the program at once.
void watch_signals();
// SIGINT and SIGTERM end the program at once again: for filters, which have nothing to keep and may wait for a
// terminal.
void end_at_signals();
// Whether a line of progress stands on the terminal, which the end by a second signal then clears.
void clear_line_when_ended(bool is_shown);
// The remembered signal, or 0.
int signal_received();

}  // namespace bertprep::cli
