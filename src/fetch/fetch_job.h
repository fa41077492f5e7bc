// FetchJob: what all parts of one call of a public function need.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/fetch/fetch.h"
#include "fetch/catalogue.h"
#include "fetch/failed_sources.h"
#include "fetch/mirror_ring.h"

namespace bertprep {

struct FetchJob {
  const FetchOptions& options;
  Progress& progress;
  FetchSubject subject;
  Catalogue catalogue;
  RetryPolicy policy;
  std::shared_ptr<const HttpCredentials> credentials{};
  bool note_unchecked = true;  // whether to report files without a known digest

  FetchJob(const FetchOptions& fetch_options, Progress& observer, FetchSubject fetch_subject = {});

  [[noreturn]] void throw_offline() const { throw OfflineError({subject}); }
};

// `folder`/NAME and its hidden folder.
struct Place {
  std::filesystem::path folder;
  std::filesystem::path state;

  Place(const std::filesystem::path& parent, const std::string& name);
  // Creates both. Throws IoError.
  void make() const;
};

// Makes sure that the files exist, complete and correct; downloads those that don't. A name may be a path below
// `place`, whose folders then are places of their own. `failed`: as in DownloadTask.
void fetch_files(const FetchJob& job, const Place& place, const std::vector<CatalogueFile>& files,
                 std::vector<FailedSource>* failed = nullptr);

// Identifies the version of a fetched file: its SHA-256, or another mark.
std::string mark_of(const std::filesystem::path& file, const std::filesystem::path& state_folder);

// Whether the facts found of a file agree with the known ones; if not, adds a note.
bool is_right(const FetchJob& job, const std::filesystem::path& file, const FileFacts& known, const FileFacts& found);

// A path as a word of a command shown to the user.
std::string path_word(const std::filesystem::path& path);

// Checks a user's file against the known facts, and reports the result. Throws FormatError.
void check_local_file(const FetchJob& job, const Place& place, const CatalogueFile& file,
                      const std::filesystem::path& path);

}  // namespace bertprep
