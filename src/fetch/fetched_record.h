// FetchedRecord: what a finished file was when it was checked, so that it is not read again as long as its size and
// time stay. It lies in the hidden folder beside the files, as JSON.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "fetch/file_facts.h"

namespace bertprep {

struct FetchedRecord {
  FileFacts facts{};
  std::string from{};  // URL, or archive
  // This program downloaded or unpacked the file. False for files that it found or was given: those are the user's.
  bool is_made = false;
};

// Of the file as it is now. Nothing when there is no record, the file is gone or has changed since.
std::optional<FetchedRecord> find_record(const std::filesystem::path& file, const std::filesystem::path& state_folder);
// Throws IoError.
void save_record(const FetchedRecord& record, const std::filesystem::path& file,
                 const std::filesystem::path& state_folder);
// Reads the file. Throws IoError.
FileFacts facts_of_file(const std::filesystem::path& file, const FileFacts& known);

}  // namespace bertprep
