// FetchJob: what all parts of one call of a public function need; Place: where its files go.
#pragma once

#include "fetch/download.h"

namespace bertprep {

class Pages;

struct FetchJob {
  const FetchOptions& options;
  Progress& progress;
  FetchSubject subject;
  Catalogue catalogue;
  RetryPolicy policy;
  bool note_unchecked = true;  // whether to report files without a known digest
  // Finds what lets the files be read, once one is missing that no mirror of this machine has; may be empty.
  std::function<std::shared_ptr<const HttpCredentials>()> credentials{};

  FetchJob(const FetchOptions& fetch_options, Progress& observer, FetchSubject fetch_subject = {});

  [[noreturn]] void throw_offline() const { throw OfflineError({subject}); }
  // Throws OfflineError if no address may be asked.
  void require_any(const std::vector<std::string>& urls) const;
};

// `folder`/NAME and its hidden folder.
struct Place {
  std::filesystem::path folder;
  std::filesystem::path state;

  Place(const std::filesystem::path& parent, const std::string& name);
  // Creates both. Throws IoError.
  void make() const;
};

// The download of a file to `folder`. Throws OfflineError if no mirror may be asked.
DownloadTask download_task(const FetchJob& job, const CatalogueFile& file, const std::filesystem::path& folder,
                           const std::filesystem::path& state_folder);

// Makes sure that the files exist, complete and correct; downloads those that don't. A name may be a path below
// `place`, whose folders then are places of their own. `failed`: as in DownloadTask.
void fetch_files(const FetchJob& job, const Place& place, const std::vector<CatalogueFile>& files,
                 std::vector<FailedSource>* failed = nullptr);

// Identifies the version of a fetched file: its SHA-256, or another mark.
std::string mark_of(const std::filesystem::path& file, const std::filesystem::path& state_folder);

// Whether the facts found of a file agree with the known ones; if not, adds a note.
bool is_right(const FetchJob& job, const std::filesystem::path& file, const FileFacts& known, const FileFacts& found);

// What servers listed, and the name of its file in the hidden folder.
struct SavedListing {
  std::string name;
  Json listing;
};

// The listing in the file that `find` names, so that a broken download resumes with the same files. Where there is
// none, the first process asks for it and saves it, and others wait. Throws OfflineError if none of `servers` may be
// asked.
Json kept_listing(const FetchJob& job, const Place& place, const std::vector<std::string>& servers,
                  const std::function<std::string()>& find, const std::function<SavedListing()>& ask);

// The size of a file, from the first mirror that says; 0 if none does.
std::uint64_t ask_size(const FetchJob& job, const CatalogueFile& file, Pages& pages);

// A path as a word of a command shown to the user.
std::string path_word(const std::filesystem::path& path);

// Checks a user's file against the known facts, and reports the result. Throws FormatError.
void check_local_file(const FetchJob& job, const Place& place, const CatalogueFile& file,
                      const std::filesystem::path& path);

}  // namespace bertprep
