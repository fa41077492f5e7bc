// The process: signals that ask it to stop, on which finished work is kept and the same command resumes; and limits
// that are raised before it works.
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

// As far as allowed: sharding writes to all text shards at once, and many systems start with 1,024. If refused, a later
// error shows it.
void allow_many_open_files();
// Raises a limit of the stack with which calls would end in a fault of memory (ulimit -s). Where it can't, ends the
// process with a word. Comes first.
void require_stack(const char* program);

}  // namespace bertprep::cli
