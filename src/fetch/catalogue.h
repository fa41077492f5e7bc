// The catalogue: what can be fetched, from where, and its known size and digests (docs/formats/catalogue.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bertprep/fetch/fetch.h"
#include "fetch/file_facts.h"
#include "io/json.h"

namespace bertprep {

// Where to get a file: directly, or as a member of an archive.
struct Mirror {
  std::string url;
  std::string member{};  // path in the archive at `url`; empty: the URL is the file itself
};

// A file to unpack from an archive. A path with * means all that match; they go into one folder.
struct WantedMember {
  std::string path;
  std::string name{};  // on this machine; a pattern has none
  FileFacts facts{};
  std::vector<std::string> rows{};  // URLs of Parquet files whose rows are its lines, in order; proved by its digest
  std::string rows_sha1{};          // which it may have for these alone: a user's own file may be another

  bool is_pattern() const { return path.find('*') != std::string::npos; }
};

struct CatalogueFile {
  std::string name;
  std::vector<Mirror> mirrors;
  FileFacts facts;
  std::vector<WantedMember> members;  // empty: the file itself is read
  std::uint64_t article_lines = 0;    // an article ends after this many lines of a member; 0: the text is not changed
};

// The file that Wikimedia's exports write last.
inline constexpr std::string_view kCompleteMark = "_SUCCESS";

// A folder on servers, whose files are listed when they are fetched.
struct CatalogueListing {
  std::vector<std::string> folders;  // URLs that end in a slash, in order of preference
  std::string names;                 // a pattern: "pubmed*.xml.gz"; empty: there is no listing
  std::string saved_as = "listing.json";
  bool is_marked = false;  // a folder without kCompleteMark is not complete
};

struct CatalogueEntry {
  std::string name;
  std::vector<std::string> aliases;
  std::string title;
  std::string licence;
  std::string format;           // as SourceOptions::format
  std::string folder_format{};  // of a user's folder that has none of the files; empty: there must be some
  std::uint64_t articles = 0;
  std::uint64_t text_bytes = 0;
  std::vector<CatalogueFile> files;  // in reading order
  CatalogueListing listing{};        // instead of files
  std::vector<std::string> parts;    // names of the entries that this one consists of; it then has no files
};

// Addresses of one kind, as NAME:PART: "wikipedia:20231101.de".
struct CatalogueInputs {
  std::string name;
  std::string title;
  std::string licence;
  std::string address;             // with {} for the part
  std::vector<std::string> parts;  // patterns
  std::string example;             // a part
};

// Wikimedia's dumps, the same for all languages.
struct DumpCatalogue {
  std::string title;
  std::string licence;
  std::vector<std::string> roots;     // mirrors of https://dumps.wikimedia.org
  std::vector<std::string> archives;  // URLs of folders that contain WIKI-DATE/FILE
  std::vector<CatalogueFile> files;   // facts about single dumps that servers may no longer give
};

struct CatalogueVocab {
  std::string name;
  std::vector<std::string> aliases;
  CatalogueFile file;
};

struct Catalogue {
  std::vector<CatalogueEntry> datasets;
  std::vector<CatalogueVocab> vocabs;
  std::vector<CatalogueInputs> inputs;
  DumpCatalogue dumps;
  CatalogueFile punkt;

  // By name or alias; null if unknown.
  const CatalogueEntry* find(const std::string& name) const;
  const CatalogueVocab* find_vocab(const std::string& name) const;
};

// The user's catalogues, then the project's. Throws IoError, FormatError (file and key).
Catalogue load_catalogue(const FetchOptions& options);

// Whether the text is like "wikipedia:20231101.de", and no file is called so.
bool is_input_name(const std::string& text);
// The address for such a name. Throws ConfigError, with the nearest known name.
std::string address_of_input(const std::string& text, const FetchOptions& options);

// Splits the comma-separated list of an option.
std::vector<std::string> split_list(const std::string& text);

// Lists of files that servers gave, as they are saved.
Json json_of(std::span<const CatalogueFile> files);
// Throws FormatError.
std::vector<CatalogueFile> files_of(const Json& list);

// The JSON of a catalogue -> its entries.

// Appends to `catalogue`; the first entry of a name counts. Errors name `where`. Throws FormatError for an unknown key,
// and a missing or wrong value.
void add_to_catalogue(const Json& document, const std::string& where, Catalogue& catalogue);

}  // namespace bertprep
