#include "queued_jobs.h"

#include "bertprep/base/error.h"
#include "started_program.h"

namespace bertprep::cli {

std::optional<QueueState> ask_engine(const Submission& submission) try {
  const std::vector<std::string> command = queue_command(submission);
  if (command.empty()) return std::nullopt;
  const StartedProgram engine = run_to_end(command);
  return engine.found ? queue_state(submission, engine.status, engine.out, engine.err) : std::nullopt;
} catch (const IoError&) {
  return std::nullopt;
}

}  // namespace bertprep::cli
