// Records of what was fetched and unpacked, so that it is not read again while its size and time are unchanged. They
// are JSON files in the hidden folder next to the files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "bertprep/base/progress.h"
#include "fetch/file_facts.h"
#include "io/resumable_file.h"

namespace bertprep {

struct FetchedRecord {
  FileFacts facts{};
  std::string from{};  // URL, or archive
  // This program downloaded or unpacked the file. False for files that it found or was given: these belong to the user.
  bool is_made = false;
};

// The record of the current file. Nothing if there is no record, or the file is missing or has changed since.
std::optional<FetchedRecord> find_record(const std::filesystem::path& file, const std::filesystem::path& state_folder);
// Throws IoError.
void save_record(const FetchedRecord& record, const std::filesystem::path& file,
                 const std::filesystem::path& state_folder);
// Reads the file. Throws IoError.
FileFacts facts_of_file(const std::filesystem::path& file, const FileFacts& known);

// Records of unpacked files, and the lock of the unpacking process.

// The archive of an unpacked file, if the file is unchanged since.
std::optional<std::string> record_source(const std::filesystem::path& file, const std::filesystem::path& state_folder);

// The same for a folder: it still has as many files with as many bytes.
std::optional<std::string> find_folder_record(const std::filesystem::path& folder,
                                              const std::filesystem::path& state_folder);
// Whether the folder has exactly the unpacked files: the same names, sizes and times, and no others.
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
