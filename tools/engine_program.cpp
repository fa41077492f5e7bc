#include "engine_program.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>

namespace bertprep::cli {
namespace {

// Collects output in a file: nothing waits for a reader, however large it is.
class Collected {
 public:
  Collected() : file_(std::tmpfile(), std::fclose) {
    if (!file_) throw IoError::from_errno("can't be created", "temporary file", errno);
  }
  int descriptor() const { return ::fileno(file_.get()); }
  std::string text() const {
    std::rewind(file_.get());
    std::string text;
    std::array<char, 4096> part{};
    for (std::size_t size = 0; (size = std::fread(part.data(), 1, part.size(), file_.get())) != 0;) {
      text.append(part.data(), size);
    }
    return text;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

class FileActions {
 public:
  FileActions() { ::posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  void open_nothing(int descriptor) { ::posix_spawn_file_actions_addopen(&actions_, descriptor, "/dev/null", 0, 0); }
  void duplicate(int from, int to) { ::posix_spawn_file_actions_adddup2(&actions_, from, to); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw IoError::from_errno("can't be waited for", "process " + std::to_string(child), errno);
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string without_line_ends(const std::string& text) {
  return text.substr(0, text.find_last_not_of("\r\n") + 1);
}

}  // namespace

StartedProgram run_to_end(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const Collected out;
  const Collected err;
  FileActions actions;
  actions.open_nothing(STDIN_FILENO);
  actions.duplicate(out.descriptor(), STDOUT_FILENO);
  actions.duplicate(err.descriptor(), STDERR_FILENO);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, arguments[0], actions.get(), nullptr, arguments.data(), ::environ);
  if (error == ENOENT) return {false, 0, {}, {}};
  if (error != 0) throw IoError::from_errno("can't be started", command[0], error);
  const int status = wait_for(child);
  return {true, status, out.text(), err.text()};
}

std::string output_of(const std::vector<std::string>& command) {
  const StartedProgram program = run_to_end(command);
  if (!program.found) {
    throw IoError("is not installed here", command[0], "submit from a machine that has it, or use --dry-run");
  }
  if (program.status == 0) return without_line_ends(program.out);
  throw IoError("'" + joined(command, " ") + "' ended with status " + std::to_string(program.status), {},
                without_line_ends(program.err));
}

std::optional<QueueState> ask_engine(const Submission& submission) try {
  const std::vector<std::string> command = queue_command(submission);
  if (command.empty()) return std::nullopt;
  const StartedProgram engine = run_to_end(command);
  return engine.found ? queue_state(submission, engine.status, engine.out, engine.err) : std::nullopt;
} catch (const IoError&) {
  return std::nullopt;
}

}  // namespace bertprep::cli
