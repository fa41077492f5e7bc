// Errors that end a stage.
//
// Every error says what went wrong, where (file and line, byte offset, row) and, where something can be done, what to
// do. A bad record in otherwise sound data is not an error: it is reported to Progress::skipped and counted.
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

  // Whether the same call may well succeed later: a file server that was restarted, a connection that was lost.
  bool is_passing() const noexcept { return is_passing_; }
  // Whether a file or folder is not there.
  bool is_missing() const noexcept { return is_missing_; }

 private:
  bool is_passing_ = false;
  bool is_missing_ = false;
};

// Data can't serve: it is not what its format promises (invalid UTF-8, a broken vocabulary, a damaged shard), or not
// enough for what was asked (fewer articles than shards).
class FormatError : public Error {
 public:
  using Error::Error;
};

// The options do not make sense, whatever the input.
class ConfigError : public Error {
 public:
  using Error::Error;
};

// Somebody asked to stop (Progress::cancelled). What is finished stays; the same call goes on from there.
class Cancelled : public Error {
 public:
  Cancelled();
};

}  // namespace bertprep
