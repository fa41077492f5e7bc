// Address: an input that is not on this machine.
//
//   https://HOST/PATH                                       one file
//   hf://datasets/ORG/NAME[@REVISION][/PATH]                a file, a folder or a pattern of a dataset of the Hub
//   s3://BUCKET[/KEY]                                       an object, the objects below KEY/, or a pattern
#pragma once

#include <initializer_list>

#include "fetch/fetch_job.h"

namespace bertprep {

enum class AddressKind { kWeb, kHub, kS3 };

struct Address {
  AddressKind kind = AddressKind::kWeb;
  std::string text;        // as given, without the query of kWeb, which may have a signature
  std::string place;       // the URL without its query; ORG/NAME; the bucket
  std::string revision{};  // of a dataset; empty: its default branch
  std::string path{};      // below the place; may be a pattern (file_system.h); empty: everything
  std::string query{};     // of kWeb

  bool is_pattern() const;
  // The text with the commit that its dataset had.
  std::string pinned(const std::string& commit) const;
  // The part of the path that no file may lack: all of it, or what is before the first sign of a pattern.
  std::string plain_path() const;
};

// Throws ConfigError, whose text has no query.
Address parse_address(const std::string& text);
// The same, and "wikipedia:20231101.de" by a catalogue.
Address parse_input(const std::string& text, const FetchOptions& options);

using Credentials = std::shared_ptr<const HttpCredentials>;

// The files that an address stands for, with what their server knows about them.
struct RemoteFiles {
  std::vector<CatalogueFile> files{};  // in byte order; their names are paths below the place
  std::string revision{};              // the commit of a dataset
  std::string origin{};                // what their URLs begin with
  std::string region{};                // of a bucket
};

// Asks the server. Throws IoError and FormatError with what to do.
RemoteFiles list_hub(const FetchJob& job, const Address& address);
RemoteFiles list_s3(const FetchJob& job, const Address& address);

// What lets the files be read. `origin` and `region`: those of their listing.
Credentials hub_credentials();
Credentials s3_credentials(const FetchJob& job, const std::string& origin, const std::string& region);

// The error of a dataset that asks for consent, or is not there for this user.
IoError hub_refusal(const Address& address, const std::string& reason);

// A page of what S3 answers with: of ListObjectsV2, or an error.
struct S3Page {
  std::vector<CatalogueFile> objects{};
  std::string next{};  // the token of the next page; empty: this is the last one
  std::string code{};  // of an error: "AccessDenied"
};

// Throws FormatError with `where` for what is not such XML.
S3Page parse_s3_page(std::string_view xml, const std::string& where);

std::string without_slashes_at_end(std::string text);
// The first of these variables that is set, without slashes at its end; empty if none is.
std::string first_variable(std::initializer_list<const char*> names);

// Whether `address` stands for the file at `path` of its place.
bool takes(const Address& address, const std::string& path);

}  // namespace bertprep
