// "-" among the files that a command reads: standard input.
//
// Inputs are read more than once: to tell their format, for their digest, and for the text. So what comes through a
// pipe is first kept in a file without a name, which vanishes with the process however that ends. It takes the place of
// standard input: /dev/stdin then names it like any file.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "console/console.h"

namespace bertprep::cli {

inline constexpr const char* kDash = "-";
inline constexpr const char* kStandardInput = "/dev/stdin";

// Puts /dev/stdin where "-" stands, among the inputs or as the vocabulary. What comes through a pipe is kept on the
// file system of `folder`, which need not be there yet. Throws ConfigError when there are several of them, IoError,
// Cancelled.
void take_standard_input(std::vector<std::filesystem::path>& inputs, std::string& vocab,
                         const std::filesystem::path& folder, Console& console);

// The same for shards, which HDF5 opens by name: what comes through a pipe is kept in a file that has one until this
// goes.
class NamedStandardInput {
 public:
  NamedStandardInput() = default;
  ~NamedStandardInput();
  NamedStandardInput(const NamedStandardInput&) = delete;
  NamedStandardInput& operator=(const NamedStandardInput&) = delete;
  void take(std::vector<std::filesystem::path>& shards, std::string& vocab, Console& console);
  bool has_file() const { return !name_.empty(); }

 private:
  std::filesystem::path name_;
};

// Throws ConfigError when "-" stands more than once.
void refuse_second_dash(std::span<const std::filesystem::path> inputs, const std::string& vocab);

// Throws ConfigError for "-" among inputs that must be files, and says why.
void refuse_standard_input(std::span<const std::filesystem::path> inputs, const std::string& why);

// For the filters: calls line(view) for every LF-ended line of `files`, or of standard input for "-" and when there are
// none. Throws IoError, and FormatError with file, line and byte for invalid UTF-8.
void for_each_input_line(const std::vector<std::filesystem::path>& files,
                         const std::function<void(std::string_view)>& line);

}  // namespace bertprep::cli
