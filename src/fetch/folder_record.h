// Records of what was unpacked, and the lock of who unpacks.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "bertprep/base/progress.h"
#include "io/resumable_file.h"

namespace bertprep {

// Where an unpacked file comes from, if it is still the one that was recorded.
std::optional<std::string> record_source(const std::filesystem::path& file, const std::filesystem::path& state_folder);

// The same of a folder: it still has as many files with as many bytes.
std::optional<std::string> find_folder_record(const std::filesystem::path& folder,
                                              const std::filesystem::path& state_folder);
// Whether the folder holds exactly what was unpacked: the same names, sizes and times, and nothing else.
bool is_as_unpacked(const std::filesystem::path& folder, const std::filesystem::path& state_folder);
void save_folder_record(const std::string& from, const std::filesystem::path& folder,
                        const std::filesystem::path& state_folder);

// Held by one process at a time. The constructor waits for the others; throws Cancelled.
class ProcessLock {
 public:
  ProcessLock(const std::filesystem::path& path, Progress& progress);
  ~ProcessLock();
  ProcessLock(const ProcessLock&) = delete;
  ProcessLock& operator=(const ProcessLock&) = delete;

 private:
  std::optional<ResumableFile> file_;
};

}  // namespace bertprep
