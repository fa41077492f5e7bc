// fetch: datasets, vocabularies and Punkt parameters by name -> checked files on this machine.
//
// A file appears under its name only when it is whole and its size and digest are right. A broken download resumes
// where it stopped. A correct file that exists is not downloaded again. Nothing here starts threads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/error.h"
#include "bertprep/base/progress.h"

namespace bertprep {

// FetchOptions: where and how to download.

struct FetchOptions {
  std::string catalog;    // more catalogue files, separated by commas; their entries take precedence
  std::string mirror;     // base URLs to try first, separated by commas
  std::string from_file;  // a file or folder to use instead of a download
  // Date of a dump: YYYYMMDD, or "latest": the dump already started in this folder, else the newest complete one.
  std::string dump_date = "latest";
  std::string contact;              // email address or URL for the User-Agent
  std::int64_t retries = 8;         // retries for each mirror
  std::int64_t stall_seconds = 60;  // give up an attempt after this long without data
  std::int64_t connections = 3;     // simultaneous, to one host
  bool verify_certificates = true;
  bool offline = false;  // use no network (see OfflineError), only mirrors with file:// URLs
};
// Throws ConfigError for options that no download could use, even if none is needed: also for a mirror that is not a
// URL.
void check(const FetchOptions& options);

// A file that an address stands for.
struct RemoteFile {
  std::filesystem::path file;  // where it is once it is fetched
  std::size_t input = 0;       // index in FetchedPart::files: it is that one, or in it
  std::uint64_t bytes = 0;     // 0: not known before it is fetched
  std::string sha256{};        // known if the call fetched all files
};

// An address, of a dataset with its commit: hf://datasets/ORG/NAME@COMMIT/PATH.
struct RemoteInput {
  std::string address;
  std::vector<RemoteFile> files;
};

// One corpus of a dataset on this machine, as a source needs it.
struct FetchedPart {
  std::string format;                        // for input_format()
  std::vector<std::filesystem::path> files;  // in reading order
  // Everything in the folder of downloads that belongs to the part, including archives and indexes.
  std::vector<std::filesystem::path> downloads{};
  // The addresses among the inputs, and what is not read of them.
  std::vector<RemoteInput> remote{};
  std::vector<RecordRemark> left_out{};
};

struct FetchedDataset {
  std::string name;                // of folders and files: "books_wiki_en_corpus" for the alias "bookswiki"
  std::vector<FetchedPart> parts;  // bookswiki has two: books, then wiki
};

// What is known about a dataset before it is fetched. Sizes in bytes; 0: unknown.
struct DatasetFacts {
  std::string name;
  std::string title;
  std::string licence;
  std::uint64_t download_bytes = 0;
  std::uint64_t text_bytes = 0;
  std::uint64_t articles = 0;
};

// Something to fetch, as messages name it.
struct FetchSubject {
  std::string what;     // "the vocabulary bert-large-uncased"
  std::string command;  // that fetches it
  std::string option;   // that takes a copy instead
};

// Thrown instead of starting a download when FetchOptions::offline is set. Nothing was written.
class OfflineError : public IoError {
 public:
  explicit OfflineError(std::vector<FetchSubject> missing);
  const std::vector<FetchSubject>& missing() const noexcept { return missing_; }

 private:
  std::vector<FetchSubject> missing_;
};

std::vector<DatasetFacts> known_datasets(const FetchOptions& options);
// Asks the mirrors for what the catalogue lacks (the date of `latest`). Throws as fetch_dataset() does.
DatasetFacts describe_dataset(const std::string& name, const FetchOptions& options, Progress& progress);

// Downloads to `folder`/DATASET/. `name` is a dataset of the catalogue, an alias, wikicorpus_LANG or cirrus_LANG.
// Throws ConfigError (unknown name, with the nearest known one), IoError (what went wrong on each mirror; disk full),
// OfflineError, FormatError (digest or size), Cancelled. So do the functions below.
FetchedDataset fetch_dataset(const std::string& name, const std::filesystem::path& folder, const FetchOptions& options,
                             Progress& progress);

// Inputs that are addresses: https://HOST/PATH, hf://datasets/ORG/NAME[@REVISION][/PATH], s3://BUCKET[/KEY]. Those of
// the Hub and S3 may end in a pattern, in which `*` matches slashes too. The catalogue has names for some, such as
// wikipedia:20231101.de.

bool is_address(const std::filesystem::path& input);
// Throws ConfigError for one that is incomplete, or a name that is unknown, with the nearest known one.
void check_address(const std::filesystem::path& address, const FetchOptions& options = {});
// As messages and records show it: of a query, which may have a signature, only a digest.
std::string shown_address(const std::filesystem::path& address);

// Which files of addresses are fetched. An empty function takes all.
struct RemoteChoice {
  // Why a file of a folder is not read, by its path in it; nothing if it is.
  std::function<std::optional<std::string>(std::string_view path)> why_left_out{};
  // Which of the others this call fetches.
  std::function<bool(const RemoteFile& file)> fetches{};
};

// The inputs, with the files and folders that the addresses among them stand for: downloaded to `folder`/inputs, under
// the paths that they have there. What an address stands for is asked once, and kept with the commit of a dataset: the
// same call then needs no network. The environment has the keys: HF_TOKEN, HF_ENDPOINT, AWS_PROFILE and so on.
FetchedPart fetch_inputs(std::span<const std::filesystem::path> inputs, const std::filesystem::path& folder,
                         const FetchOptions& options, Progress& progress, const RemoteChoice& choice = {});
// Their sizes, those of files of this machine in text_bytes alone. Writes nothing.
DatasetFacts describe_inputs(std::span<const std::filesystem::path> inputs, const FetchOptions& options,
                             Progress& progress, const RemoteChoice& choice = {});

// Whether the catalogue, or one of those in `options`, says where to fetch the vocabulary `name`.
bool can_fetch_vocab(const std::string& name, const FetchOptions& options);

// The vocabulary file `name` of the catalogue, at `folder`/vocab/NAME.txt.
std::filesystem::path fetch_vocab(const std::string& name, const std::filesystem::path& folder,
                                  const FetchOptions& options, Progress& progress);

// The same, to a file of any name.
void fetch_vocab_file(const std::string& name, const std::filesystem::path& target, const FetchOptions& options,
                      Progress& progress);

// The folder with the Punkt parameters of `language` ("english"), at `folder`/punkt/LANGUAGE.
std::filesystem::path fetch_punkt(const std::string& language, const std::filesystem::path& folder,
                                  const FetchOptions& options, Progress& progress);

}  // namespace bertprep
