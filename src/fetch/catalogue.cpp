#include "fetch/catalogue.h"

#include <algorithm>
#include <initializer_list>
#include <set>

#include "base/address.h"
#include "base/nearest_name.h"
#include "base/number_text.h"
#include "fetch/embedded.h"
#include "io/file_system.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

// Datasets may consist of others, recursively: limits the depth, as there may be cycles.
void require_end_of_parts(const Catalogue& catalogue, const std::string& where) {
  constexpr std::size_t kMaxLevels = 16;
  std::set<const CatalogueEntry*> above;  // those with a level of parts more in each round
  for (const CatalogueEntry& entry : catalogue.datasets) above.insert(&entry);
  for (std::size_t level = 0; level <= kMaxLevels; ++level) {
    const std::set<const CatalogueEntry*> below = above;
    std::erase_if(above, [&](const CatalogueEntry* entry) {
      return std::ranges::none_of(entry->parts,
                                  [&](const std::string& part) { return below.contains(catalogue.find(part)); });
    });
  }
  if (above.empty()) return;
  throw FormatError("'" + (*above.begin())->name + "' has parts nested too deeply, or is a part of itself", where,
                    "name the datasets that hold the files");
}

constexpr std::string_view kHint = "see docs/formats/catalogue.md";

// An object of the catalogue, with its position for errors.
class Fields {
 public:
  Fields(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (object.kind() != Json::Kind::Object) fail("is not a JSON object");
  }

  // A key that is never read is a typing error.
  void allow(std::initializer_list<std::string_view> keys) const {
    for (const auto& [key, value] : object_.members()) {
      if (std::ranges::find(keys, key) == keys.end()) fail("has an unknown key '" + key + "'");
    }
  }
  const Json* find(std::string_view key) const { return object_.find(key); }

  std::string text(std::string_view key) const {
    const Json* value = find(key, Json::Kind::String, "a string");
    return value == nullptr ? std::string() : value->text();
  }
  std::string needed_text(std::string_view key) const {
    std::string value = text(key);
    if (value.empty()) fail("has no '" + std::string(key) + "'");
    return value;
  }
  std::uint64_t number(std::string_view key) const {
    const Json* value = find(key, Json::Kind::Number, "a number");
    return value == nullptr ? 0 : value->as_unsigned();
  }
  std::vector<Json> list(std::string_view key) const {
    const Json* value = find(key, Json::Kind::Array, "a list");
    return value == nullptr ? std::vector<Json>() : value->items();
  }
  std::vector<std::string> texts(std::string_view key) const {
    std::vector<std::string> values;
    for (const Json& item : list(key)) {
      if (item.kind() != Json::Kind::String)
        fail("key '" + std::string(key) + "' contains a value that is not a string");
      values.push_back(item.text());
    }
    return values;
  }

  [[noreturn]] void fail(const std::string& what) const { throw FormatError(what, where_, std::string(kHint)); }
  const std::string& where() const { return where_; }

 private:
  const Json* find(std::string_view key, Json::Kind kind, const std::string& what) const {
    const Json* value = find(key);
    if (value != nullptr && value->kind() != kind) fail("key '" + std::string(key) + "' is not " + what);
    return value;
  }

  const Json& object_;
  std::string where_;
};

// The file gets this name in a folder of ours: a catalogue must not lead elsewhere.
std::string plain_name(const Fields& fields, const std::string& name) {
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos || name.starts_with('.')) {
    fields.fail("'" + name + "' can't be the name of a file");
  }
  return name;
}

std::string last_segment(const std::string& url) {
  const std::string path = url.substr(0, url.find_first_of("?#"));
  return path.substr(path.rfind('/') + 1);
}

FileFacts read_facts(const Fields& fields) {
  FileFacts facts;
  facts.size_bytes = fields.number("size");
  for (const DigestKind kind : kDigestKinds) {
    std::string hex = ascii_lower(fields.text(digest_name(kind)));
    const bool is_hex = hex.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!hex.empty() && (!is_hex || hex.size() != digest_hex_characters(kind))) {
      fields.fail("key '" + std::string(digest_name(kind)) + "' is not a valid digest");
    }
    facts.set_digest(kind, std::move(hex));
  }
  return facts;
}

std::vector<Mirror> read_mirrors(const Fields& fields) {
  std::vector<Mirror> mirrors;
  for (const Json& item : fields.list("mirrors")) {
    if (item.kind() == Json::Kind::String) {
      mirrors.push_back({item.text()});
      continue;
    }
    const Fields mirror(item, fields.where() + ": mirror");
    mirror.allow({"url", "member"});
    mirrors.push_back({mirror.needed_text("url"), mirror.text("member")});
  }
  return mirrors;
}

WantedMember read_member(const Json& json, const std::string& where) {
  if (json.kind() == Json::Kind::String) return {json.text(), last_segment(json.text())};
  const Fields fields(json, where + ": member");
  fields.allow({"path", "name", "size", "sha256", "sha1", "md5", "rows", "rows_sha1"});
  WantedMember member{fields.needed_text("path"), fields.text("name"), read_facts(fields), fields.texts("rows"),
                      fields.text("rows_sha1")};
  if (!member.rows.empty() && (member.is_pattern() || !(member.facts.has_digest() || !member.rows_sha1.empty()))) {
    fields.fail("has 'rows', but no digest that proves them to be the same text");
  }
  if (member.name.empty()) member.name = last_segment(member.path);
  return member;
}

CatalogueFile read_file_entry(const Fields& fields) {
  CatalogueFile file;
  file.mirrors = read_mirrors(fields);
  if (const std::string url = fields.text("url"); !url.empty()) file.mirrors.insert(file.mirrors.begin(), {url});
  file.name = fields.text("name");
  if (file.name.empty() && !file.mirrors.empty()) file.name = last_segment(file.mirrors.front().url);
  file.name = plain_name(fields, file.name);
  file.facts = read_facts(fields);
  file.article_lines = fields.number("article_lines");
  for (const Json& member : fields.list("members")) {
    file.members.push_back(read_member(member, fields.where()));
    if (!file.members.back().is_pattern()) plain_name(fields, file.members.back().name);
  }
  return file;
}

CatalogueFile read_listed_file(const Json& json, const std::string& where) {
  const Fields fields(json, where + ": file");
  fields.allow({"name", "url", "mirrors", "size", "sha256", "sha1", "md5", "members", "article_lines"});
  return read_file_entry(fields);
}

void read_listing(const Json& json, const std::string& where, CatalogueEntry& entry) {
  const Fields fields(json, where + ": listing");
  fields.allow({"mirrors", "names"});
  entry.folders = fields.texts("mirrors");
  entry.listing.names = fields.needed_text("names");
  if (entry.folders.empty()) fields.fail("has no 'mirrors'");
  for (const std::string& folder : entry.folders) {
    if (!folder.ends_with('/')) fields.fail("'" + folder + "' does not end in a slash");
  }
}

CatalogueEntry read_entry(const Json& json, const std::string& where) {
  const Fields outer(json, where);
  CatalogueEntry entry;
  entry.name = plain_name(outer, outer.needed_text("name"));
  const Fields fields(json, where + ": dataset '" + entry.name + "'");
  fields.allow({"name", "aliases", "title", "licence", "format", "folder_format", "articles", "text_bytes", "files",
                "listing", "parts"});
  entry.aliases = fields.texts("aliases");
  entry.title = fields.text("title");
  entry.licence = fields.text("licence");
  entry.format = fields.text("format");
  entry.folder_format = fields.text("folder_format");
  entry.articles = fields.number("articles");
  entry.text_bytes = fields.number("text_bytes");
  entry.parts = fields.texts("parts");
  for (const Json& file : fields.list("files")) {
    entry.files.push_back(read_listed_file(file, fields.where()));
    if (entry.files.back().mirrors.empty()) fields.fail("file '" + entry.files.back().name + "' has no 'mirrors'");
  }
  if (const Json* listing = fields.find("listing")) read_listing(*listing, fields.where(), entry);
  const int kinds = int(!entry.files.empty()) + int(!entry.parts.empty()) + int(!entry.folders.empty());
  if (kinds != 1) fields.fail("must have either 'files', 'listing' or 'parts'");
  if (entry.format.empty()) entry.format = "auto";
  return entry;
}

CatalogueEntry read_vocab(const Json& json, const std::string& where) {
  const Fields fields(json, where + ": vocabulary");
  CatalogueEntry vocab;
  vocab.name = plain_name(fields, fields.needed_text("name"));
  vocab.aliases = fields.texts("aliases");
  CatalogueFile& file = vocab.files.emplace_back();
  file.name = plain_name(fields, fields.find("file") != nullptr ? fields.text("file") : vocab.name + ".txt");
  file.facts = read_facts(fields);
  file.mirrors = read_mirrors(fields);
  // With mirrors, the key "url" is for people; it names an archive.
  const std::string url = fields.text("url");
  if (fields.find("mirrors") == nullptr && !url.empty()) file.mirrors.push_back({url, fields.text("member")});
  return vocab;
}

CatalogueInputs read_inputs(const Json& json, const std::string& where) {
  const Fields fields(json, where + ": inputs");
  fields.allow({"name", "title", "licence", "address", "parts", "example"});
  CatalogueInputs inputs{plain_name(fields, fields.needed_text("name")),
                         fields.text("title"),
                         fields.text("licence"),
                         fields.needed_text("address"),
                         fields.texts("parts"),
                         fields.needed_text("example")};
  if (inputs.address.find("{}") == std::string::npos) fields.fail("has an 'address' without {}");
  return inputs;
}

DumpCatalogue read_dumps(const Json& json, const std::string& where) {
  const Fields fields(json, where + ": dumps");
  fields.allow({"title", "licence", "mirrors", "archives", "files"});
  DumpCatalogue dumps;
  dumps.title = fields.text("title");
  dumps.licence = fields.text("licence");
  dumps.roots = fields.texts("mirrors");
  dumps.archives = fields.texts("archives");
  for (const Json& file : fields.list("files")) dumps.files.push_back(read_listed_file(file, fields.where()));
  return dumps;
}

const CatalogueEntry* find_in(const std::vector<CatalogueEntry>& entries, const std::string& name) {
  const auto found = std::ranges::find_if(entries, [&](const CatalogueEntry& entry) {
    return entry.name == name || std::ranges::count(entry.aliases, name) != 0;
  });
  return found == entries.end() ? nullptr : &*found;
}

}  // namespace

bool Listing::has(const std::string& name) const {
  return !name.starts_with('.') && name.find('/') == std::string::npos && matches_any(name, names);
}

const CatalogueEntry* Catalogue::find(const std::string& name) const {
  return find_in(datasets, name);
}

const CatalogueEntry* Catalogue::find_vocab(const std::string& name) const {
  return find_in(vocabs, name);
}

std::vector<std::string> names_of(std::span<const CatalogueEntry> entries) {
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : entries) {
    names.push_back(entry.name);
    names.insert(names.end(), entry.aliases.begin(), entry.aliases.end());
  }
  return names;
}

Catalogue load_catalogue(const FetchOptions& options) {
  Catalogue catalogue;
  for (const std::string& file : split_list(options.catalog)) {
    refuse_address(file, "`catalog`");
    add_to_catalogue(read_json(file), file, catalogue);
  }
  add_to_catalogue(Json::parse(embedded::kDatasets, "datasets/catalogue.json"), "datasets/catalogue.json", catalogue);
  add_to_catalogue(Json::parse(embedded::kVocabularies, "vocab/catalogue.json"), "vocab/catalogue.json", catalogue);
  require_end_of_parts(catalogue, options.catalog);
  return catalogue;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> items;
  for (const std::string_view item : split(text, ',')) {
    if (!item.empty()) items.emplace_back(item);
  }
  return items;
}

Json json_of(std::span<const CatalogueFile> files) {
  return Json::array_of(files, [](const CatalogueFile& file) {
    Json json = Json::object({{"name", file.name}, {"size", file.facts.size_bytes}});
    file.facts.add_digests_to(json);
    return json.add("mirrors", Json::array_of(file.mirrors, &Mirror::url));
  });
}

std::vector<CatalogueFile> files_of(const Json& list) {
  std::vector<CatalogueFile> files;
  for (const Json& json : list.items()) {
    CatalogueFile& file = files.emplace_back(CatalogueFile{json.at("name").text(), {}, FileFacts::from_json(json)});
    for (std::string& url : texts_in(json.at("mirrors"))) file.mirrors.push_back({std::move(url)});
  }
  return files;
}

void add_to_catalogue(const Json& document, const std::string& where, Catalogue& catalogue) {
  const Fields fields(document, where);
  fields.allow({"format", "version", "datasets", "vocabularies", "inputs", "dumps", "punkt"});
  if (fields.find("version") != nullptr && fields.number("version") != 1) {
    fields.fail("has version " + std::to_string(fields.number("version")) + "; this program reads version 1");
  }
  for (const Json& entry : fields.list("datasets")) catalogue.datasets.push_back(read_entry(entry, where));
  for (const Json& entry : fields.list("vocabularies")) catalogue.vocabs.push_back(read_vocab(entry, where));
  for (const Json& inputs : fields.list("inputs")) catalogue.inputs.push_back(read_inputs(inputs, where));
  if (const Json* dumps = fields.find("dumps"); dumps != nullptr && catalogue.dumps.roots.empty()) {
    catalogue.dumps = read_dumps(*dumps, where);
  }
  if (const Json* punkt = fields.find("punkt"); punkt != nullptr && catalogue.punkt.mirrors.empty()) {
    const Fields file(*punkt, where + ": punkt");
    file.allow({"name", "licence", "url", "mirrors", "size", "sha256", "sha1", "md5"});
    catalogue.punkt = read_file_entry(file);
  }
}

bool is_input_name(const std::string& text) {
  std::error_code error;
  const std::size_t sign = text.find(':');
  const auto is_plain = [](char c) { return is_ascii_alphanumeric(c) || c == '-' || c == '.' || c == '_'; };
  return sign != std::string::npos && sign != 0 && sign + 1 < text.size() &&
         std::ranges::all_of(text.substr(0, sign) + text.substr(sign + 1), is_plain) &&
         !std::filesystem::exists(text, error);
}

std::string address_of_input(const std::string& text, const FetchOptions& options) {
  const std::string name = text.substr(0, text.find(':'));
  const std::string part = text.substr(name.size() + 1);
  const std::vector<CatalogueInputs> known = load_catalogue(options).inputs;
  const auto found = std::ranges::find(known, name, &CatalogueInputs::name);
  std::vector<std::string> names;
  for (const CatalogueInputs& inputs : known) names.push_back(inputs.name + ":" + inputs.example);
  if (found == known.end()) {
    throw ConfigError("there is no file '" + text + "', and no input of this name" + suggestion_text(text, names), {},
                      "the known ones are " + joined(names));
  }
  const auto fits = [&](const std::string& pattern) { return matches_pattern(part, pattern); };
  if (std::ranges::none_of(found->parts, fits)) {
    throw ConfigError("'" + name + "' has no part '" + part + "'" + suggestion_text(part, found->parts), {},
                      "its parts are " + joined(found->parts) + ", as in " + name + ":" + found->example);
  }
  std::string address = found->address;
  return address.replace(address.find("{}"), 2, part);
}

}  // namespace bertprep
