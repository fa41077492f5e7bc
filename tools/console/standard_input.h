// Standard input for "-" among the files that a command reads.
//
// Inputs are read more than once: for their format, their digest, and their text. So data from a pipe are first stored
// in an unnamed file, which vanishes when the process ends, however it ends. It replaces standard input: /dev/stdin
// then names it like any file.
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

// Replaces "-" among the inputs or as the vocabulary by /dev/stdin. Stores data from a pipe on the file system of
// `folder`, which need not exist yet. Throws ConfigError for several "-", IoError, Cancelled.
void take_standard_input(std::vector<std::filesystem::path>& inputs, std::string& vocab,
                         const std::filesystem::path& folder, Console& console);

// The same for shards, which HDF5 opens by name: data from a pipe are stored in a named file during the lifetime of
// this object.
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

// Throws ConfigError if "-" occurs more than once.
void refuse_second_dash(std::span<const std::filesystem::path> inputs, const std::string& vocab);

// Throws ConfigError for "-" among inputs that must be files, with the reason `why`.
void refuse_standard_input(std::span<const std::filesystem::path> inputs, const std::string& why);

// For the filters: calls line(view) for every LF-ended line of `files`, or of standard input for "-" and if there are
// none. Throws IoError, and FormatError with file, line and byte for invalid UTF-8.
void for_each_input_line(const std::vector<std::filesystem::path>& files,
                         const std::function<void(std::string_view)>& line);

}  // namespace bertprep::cli
