// FetchJob: what all parts of one call to the public functions need.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/fetch/fetch.h"
#include "fetch/catalogue.h"
#include "fetch/mirror_ring.h"

namespace bertprep {

struct FetchJob {
  const FetchOptions& options;
  Progress& progress;
  FetchSubject subject;
  Catalogue catalogue;
  RetryPolicy policy;

  FetchJob(const FetchOptions& fetch_options, Progress& observer, FetchSubject fetch_subject = {});

  [[noreturn]] void throw_offline() const { throw OfflineError({subject}); }
};

// `folder`/NAME and the hidden folder beside it.
struct Place {
  std::filesystem::path folder;
  std::filesystem::path state;

  Place(const std::filesystem::path& parent, const std::string& name);
  // Creates both. Throws IoError.
  void make() const;
};

// Makes sure that the files are in the place, whole and right; downloads those that are not.
void fetch_files(const FetchJob& job, const Place& place, const std::vector<CatalogueFile>& files);

// The file's sha256 as it was fetched, or what else tells its version.
std::string mark_of(const std::filesystem::path& file, const std::filesystem::path& state_folder);

// A path as a word of a command that is told.
std::string path_word(const std::filesystem::path& path);

// Checks a file of the user's own against what is known of it, and says what came out. Throws FormatError.
void check_local_file(const FetchJob& job, const Place& place, const CatalogueFile& file,
                      const std::filesystem::path& path);

}  // namespace bertprep
