// Errors that end a stage.
//
// Every error says what went wrong, where (file and line, byte offset, row) and, if there is a remedy, what to do. A
// bad record in otherwise valid data is not an error: it is reported to Progress::skipped and counted.
//
// Messages name a field of an options struct in backticks, in snake_case: `max_article`, a switch with its value:
// `lower_case` false. The program shows the flags --max-article, --no-lower-case.
#pragma once

#include <stdexcept>
#include <string>

namespace bertprep {

class Error : public std::runtime_error {
 public:
  // `where` and `hint` may be empty. what() reads "WHERE: WHAT; HINT".
  explicit Error(const std::string& what, const std::string& where = {}, const std::string& hint = {});

  const std::string& where() const noexcept { return where_; }
  const std::string& hint() const noexcept { return hint_; }

 private:
  std::string where_;
  std::string hint_;
};

// The operating system refused: missing file, full disk, no permission.
class IoError : public Error {
 public:
  using Error::Error;
  // Builds the message from an errno value, with a hint for the usual causes.
  static IoError from_errno(const std::string& what, const std::string& path, int error_number);

  // `is_transient`: for what no errno value tells, such as servers that can't be reached.
  static IoError of_servers(const std::string& what, const std::string& where, const std::string& hint,
                            bool is_transient);

  // Whether the same call may succeed later: a file server was restarted, a connection was lost.
  bool is_transient() const noexcept { return is_transient_; }
  // Whether a file or folder does not exist.
  bool is_missing() const noexcept { return is_missing_; }

 private:
  bool is_transient_ = false;
  bool is_missing_ = false;
};

// The data can't be used: it violates its format (invalid UTF-8, a broken vocabulary, a damaged shard), or there is not
// enough of it for the request (fewer articles than shards).
class FormatError : public Error {
 public:
  using Error::Error;
};

// The options are invalid, whatever the input.
class ConfigError : public Error {
 public:
  using Error::Error;
};

// The caller asked to stop (Progress::cancelled). Finished work is kept; the same call resumes.
class Cancelled : public Error {
 public:
  Cancelled();
};

}  // namespace bertprep
