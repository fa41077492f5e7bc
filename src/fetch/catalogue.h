// The catalogue: what can be fetched, from where, and its known size and digests (docs/formats/catalogue.md).
#pragma once

#include "bertprep/fetch/fetch.h"
#include "fetch/fetched_record.h"

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
  std::string name{};
  std::vector<Mirror> mirrors{};
  FileFacts facts{};
  std::vector<WantedMember> members{};  // empty: the file itself is read
  std::uint64_t article_lines = 0;      // an article ends after this many lines of a member; 0: the text is not changed
};

// The file that Wikimedia's exports write last.
inline const std::string kCompleteMark = "_SUCCESS";

// How a folder of a server says which files it has.
struct Listing {
  enum class Form {
    kLinks,   // its own page, of HTML, links to them; the MD5 of one may be in NAME.md5
    kSums,    // lines "HEX  NAME" of sha256sum and the like
    kStatus,  // dumpstatus.json of Wikimedia's dumps
    kNames,   // it does not: the first of some usual names that is there
  };
  Form form = Form::kLinks;
  std::vector<std::string> pages{""};  // the names of such lists in the folder
  std::string names{};                 // a pattern for files of kLinks: "pubmed*.xml.gz"
  bool is_marked = false;              // a folder without kCompleteMark is not complete

  // Whether a file of kLinks is meant.
  bool has(const std::string& name) const;
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
  // Instead of files: folders on servers, in order of preference, whose URLs end in a slash. They are listed when they
  // are fetched, and the list is kept under a name.
  std::vector<std::string> folders{};
  Listing listing{};
  std::string listed_as = "listing.json";
  std::vector<std::string> parts;  // names of the entries that this one consists of; it then has no files
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

struct Catalogue {
  std::vector<CatalogueEntry> datasets;
  std::vector<CatalogueEntry> vocabs;  // each has one file
  std::vector<CatalogueInputs> inputs;
  DumpCatalogue dumps;
  CatalogueFile punkt;

  // By name or alias; null if unknown.
  const CatalogueEntry* find(const std::string& name) const;
  const CatalogueEntry* find_vocab(const std::string& name) const;
};

// The names of entries and their aliases.
std::vector<std::string> names_of(std::span<const CatalogueEntry> entries);

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

// Appends the entries of a catalogue's JSON to `catalogue`; the first entry of a name counts. Errors name `where`.
// Throws FormatError for an unknown key, and a missing or wrong value.
void add_to_catalogue(const Json& document, const std::string& where, Catalogue& catalogue);

}  // namespace bertprep
