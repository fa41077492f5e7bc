// fetch: datasets, vocabularies and Punkt parameters by name -> checked files on this machine.
//
// A file is under its name only when it is whole and its size and digest are right; a broken download goes on from
// where it broke. What is there already and right is not downloaded again. Nothing here has threads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "bertprep/base/progress.h"

namespace bertprep {

// For the program's flags: its sources read fields().
template <class Options>
struct Field;
enum class OptionGroup;

// FetchOptions: where downloads come from and how they are made.

struct FetchOptions {
  std::string catalog;    // further catalogue files, separated by commas; their entries come first
  std::string mirror;     // base URLs that are tried first, separated by commas
  std::string from_file;  // a file or folder that is taken instead of a download
  // Of a dump: YYYYMMDD, or "latest": the dump that this folder was begun with, else the newest that is complete.
  std::string dump_date = "latest";
  std::string contact;              // mail address or URL for the User-Agent
  std::int64_t retries = 8;         // tries a mirror gets after the first
  std::int64_t stall_seconds = 60;  // without a byte, after which a try is given up
  std::int64_t connections = 3;     // at once to one host
  bool verify_certificates = true;
  bool offline = false;  // nothing is asked of a network: see OfflineError; mirrors that are file:// URLs are used

  static const OptionGroup kGroup;
  static std::span<const Field<FetchOptions>> fields();
};
// Throws ConfigError for what no download could use, whether one is needed or not: also for a mirror that is no URL.
void check(const FetchOptions& options);

// One corpus of a dataset on this machine: what a source needs to read it.
struct FetchedPart {
  std::string format;                        // for input_format()
  std::vector<std::filesystem::path> files;  // in the order in which they are read
  // Everything below the folder of downloads that belongs to the part: archives and indexes, too.
  std::vector<std::filesystem::path> downloads{};
};

struct FetchedDataset {
  std::string name;                // of folders and files: "books_wiki_en_corpus" for the alias "bookswiki"
  std::vector<FetchedPart> parts;  // bookswiki has two: books, then wiki
};

// What is known of a dataset before it is fetched. Sizes in bytes; 0: not known.
struct DatasetFacts {
  std::string name;
  std::string title;
  std::string licence;
  std::uint64_t download_bytes = 0;
  std::uint64_t text_bytes = 0;
  std::uint64_t articles = 0;
};

// Something that is to be fetched, as messages name it.
struct FetchSubject {
  std::string what;     // "the vocabulary bert-large-uncased"
  std::string command;  // which fetches it
  std::string option;   // which takes a copy instead
};

// Thrown where a download would begin when FetchOptions::offline is set. Nothing was written.
class OfflineError : public IoError {
 public:
  explicit OfflineError(std::vector<FetchSubject> missing);
  const std::vector<FetchSubject>& missing() const noexcept { return missing_; }

 private:
  std::vector<FetchSubject> missing_;
};

std::vector<DatasetFacts> known_datasets(const FetchOptions& options);
// Asks the mirrors for what the catalogue does not know (the date of `latest`). Throws as fetch_dataset.
DatasetFacts describe_dataset(const std::string& name, const FetchOptions& options, Progress& progress);

// Downloads to `folder`/DATASET/. `name` is a dataset of the catalogue, an alias, or wikicorpus_LANG. Throws
// ConfigError (unknown name, with the nearest known one), IoError (every mirror with what went wrong there; no room on
// the disk), OfflineError, FormatError (digest or size), Cancelled. So do the functions below.
FetchedDataset fetch_dataset(const std::string& name, const std::filesystem::path& folder, const FetchOptions& options,
                             Progress& progress);

// Whether the catalogue, with those of `options`, says where to fetch the vocabulary `name`.
bool can_fetch_vocab(const std::string& name, const FetchOptions& options);

// The vocabulary file `name` of the catalogue, at `folder`/vocab/NAME.txt.
std::filesystem::path fetch_vocab(const std::string& name, const std::filesystem::path& folder,
                                  const FetchOptions& options, Progress& progress);

// The same to a file of another name.
void fetch_vocab_file(const std::string& name, const std::filesystem::path& target, const FetchOptions& options,
                      Progress& progress);

// The folder with the Punkt parameters of `language` ("english"), at `folder`/punkt/LANGUAGE.
std::filesystem::path fetch_punkt(const std::string& language, const std::filesystem::path& folder,
                                  const FetchOptions& options, Progress& progress);

}  // namespace bertprep
