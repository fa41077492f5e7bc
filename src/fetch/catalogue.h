// The catalogue: what can be fetched, from where, and what is known of it (docs/formats/catalogue.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bertprep/fetch/fetch.h"
#include "fetch/file_facts.h"
#include "io/json.h"

namespace bertprep {

// Where a file is to be had: as it is, or as a member of an archive.
struct Mirror {
  std::string url;
  std::string member{};  // path in the archive at `url`; empty: the file itself is there
};

// A file that is taken out of an archive. A path with * stands for all that fit; they go into one folder.
struct WantedMember {
  std::string path;
  std::string name{};  // on this machine; a pattern has none
  FileFacts facts{};

  bool is_pattern() const { return path.find('*') != std::string::npos; }
};

struct CatalogueFile {
  std::string name;
  std::vector<Mirror> mirrors;
  FileFacts facts;
  std::vector<WantedMember> members;  // empty: the file itself is read
  std::uint64_t article_lines = 0;    // an article ends after so many lines of a member; 0: the text is left alone
};

// A folder on servers, whose files are found when they are fetched.
struct CatalogueListing {
  std::vector<std::string> folders;  // URLs that end in a slash, in order of preference
  std::string names;                 // a pattern: "pubmed*.xml.gz"; empty: there is no listing
};

struct CatalogueEntry {
  std::string name;
  std::vector<std::string> aliases;
  std::string title;
  std::string licence;
  std::string format;           // as SourceOptions::format
  std::string folder_format{};  // of a folder of the user's own that has none of the files; empty: there must be some
  std::uint64_t articles = 0;
  std::uint64_t text_bytes = 0;
  std::vector<CatalogueFile> files;  // in the order in which they are read
  CatalogueListing listing{};        // in place of files
  std::vector<std::string> parts;    // names of other entries that this one consists of; then it has no files
};

// Wikimedia's dumps, the same for all languages.
struct DumpCatalogue {
  std::string title;
  std::string licence;
  std::vector<std::string> roots;     // URLs that stand for https://dumps.wikimedia.org
  std::vector<std::string> archives;  // URLs below which lie WIKI-DATE/FILE
  std::vector<CatalogueFile> files;   // facts of single dumps that servers may no longer tell
};

struct CatalogueVocab {
  std::string name;
  std::vector<std::string> aliases;
  CatalogueFile file;
};

struct Catalogue {
  std::vector<CatalogueEntry> datasets;
  std::vector<CatalogueVocab> vocabs;
  DumpCatalogue dumps;
  CatalogueFile punkt;

  // By name or alias; null when there is none.
  const CatalogueEntry* find(const std::string& name) const;
  const CatalogueVocab* find_vocab(const std::string& name) const;
};

// The user's catalogues, then the project's. Throws IoError, FormatError (file and key).
Catalogue load_catalogue(const FetchOptions& options);

// A list as it is given in an option, separated by commas.
std::vector<std::string> split_list(const std::string& text);

// The JSON of a catalogue -> its entries.

// Adds behind what is there; the first entry of a name counts. `where` is named in errors. Throws FormatError: a key
// that no catalogue has, a missing or wrong value.
void add_to_catalogue(const Json& document, const std::string& where, Catalogue& catalogue);

}  // namespace bertprep
