#include "fetch/dump.h"

#include <algorithm>
#include <functional>

#include "bertprep/base/error.h"
#include "fetch/dump_site.h"
#include "fetch/mirror_urls.h"
#include "io/json.h"

namespace bertprep {
namespace {

bool is_date(const std::string& text) {
  return text.size() == 8 && text.find_first_not_of("0123456789") == std::string::npos;
}

// Facts that the catalogue has of single dumps.
void add_known_facts(const DumpCatalogue& catalogue, std::vector<CatalogueFile>& files) {
  for (CatalogueFile& file : files) {
    for (const CatalogueFile& known : catalogue.files) {
      if (known.name != file.name) continue;
      if (file.facts.size_bytes == 0) file.facts.size_bytes = known.facts.size_bytes;
      for (const DigestKind kind : {DigestKind::kSha256, DigestKind::kSha1, DigestKind::kMd5}) {
        if (file.facts.digest(kind).empty()) file.facts.set_digest(kind, known.facts.digest(kind));
      }
    }
  }
}

std::vector<std::string> roots_of(const DumpCatalogue& catalogue, const FetchOptions& options) {
  std::vector<std::string> roots;
  for (const std::string& base : mirror_bases(options)) {
    roots.push_back(base);
    if (!catalogue.roots.empty()) roots.push_back(base + "/" + host_of(catalogue.roots.front()));
  }
  roots.insert(roots.end(), catalogue.roots.begin(), catalogue.roots.end());
  return roots;
}

// The file at `place` (folder and name below a root) on every server, the one that lists it first.
void add_mirrors(const DumpPlace& place, const std::string& first_root, const std::vector<std::string>& roots,
                 const DumpCatalogue& catalogue, const std::string& wiki, std::vector<CatalogueFile>& files) {
  for (CatalogueFile& file : files) {
    file.mirrors.push_back({first_root + place.folder + file.name});
    for (const std::string& root : roots) {
      if (root != first_root) file.mirrors.push_back({root + place.folder + file.name});
    }
    if (!is_date(place.date)) continue;
    for (const std::string& archive : catalogue.archives) {
      file.mirrors.push_back({archive + "/" + wiki + "-" + place.date + "/" + file.name});
    }
  }
}

Json file_json(const CatalogueFile& file) {
  Json json = Json::object();
  json.add("name", Json::string(file.name));
  json.add("size", Json::number(file.facts.size_bytes));
  for (const DigestKind kind : {DigestKind::kSha256, DigestKind::kSha1, DigestKind::kMd5}) {
    json.add(std::string(digest_name(kind)), Json::string(file.facts.digest(kind)));
  }
  Json mirrors = Json::array();
  for (const Mirror& mirror : file.mirrors) mirrors.push(Json::string(mirror.url));
  json.add("mirrors", std::move(mirrors));
  return json;
}

CatalogueFile parse_file(const Json& json) {
  CatalogueFile file;
  file.name = json.at("name").text();
  file.facts.size_bytes = json.at("size").as_unsigned();
  for (const DigestKind kind : {DigestKind::kSha256, DigestKind::kSha1, DigestKind::kMd5}) {
    file.facts.set_digest(kind, json.at(digest_name(kind)).text());
  }
  for (const Json& url : json.at("mirrors").items()) file.mirrors.push_back({url.text()});
  return file;
}

}  // namespace

std::string wiki_of_language(const std::string& language) {
  const bool plain = language.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") == std::string::npos;
  if (language.empty() || !plain || language.front() == '-' || language.front() == '_') {
    throw ConfigError("'wikicorpus_" + language + "' names no language", {}, "use its code: wikicorpus_en");
  }
  if (language == "be-tarask" || language == "be_tarask") return "be_x_oldwiki";
  std::string wiki = language + "wiki";
  std::ranges::replace(wiki, '-', '_');
  return wiki;
}

Dump find_dump(const std::string& wiki, const std::string& date, const DumpCatalogue& catalogue,
               const FetchOptions& options, const RetryPolicy& policy, Progress& progress) {
  if (date != "latest" && !is_date(date)) {
    throw ConfigError("--dump-date: '" + date + "' is no date", {}, "write it as in 20260701, or latest");
  }
  Pages pages(options, policy, progress);
  const std::vector<std::string> roots = roots_of(catalogue, options);
  std::vector<std::string> dates;
  Dump dump{wiki, date, {}};
  const auto take = [&](const FoundDump& found, const std::string& root) {
    dump.date = found.place.date;
    dump.files = found.files;
    for (auto* files : {&dump.files.articles, &dump.files.indexes}) {
      add_known_facts(catalogue, *files);
      add_mirrors(found.place, root, roots, catalogue, wiki, *files);
    }
  };
  for (const std::string& root : roots) {
    if (!may_ask(root, options)) continue;
    DumpSite site(root, wiki, pages, progress);
    if (const auto found = date == "latest" ? site.find_latest() : site.find(date)) {
      take(*found, root);
      return dump;
    }
    for (const std::string& known : site.known_dates()) {
      if (std::ranges::find(dates, known) == dates.end()) dates.push_back(known);
    }
  }
  for (const std::string& archive : date == "latest" ? std::vector<std::string>{} : catalogue.archives) {
    if (!may_ask(archive, options)) continue;
    const std::string root = archive + "/" + wiki + "-" + date;
    DumpSite site(root, wiki, pages, progress);
    if (const auto found = site.find_flat(date)) {
      take(*found, root);
      return dump;
    }
  }
  std::ranges::sort(dates, std::greater<>());
  std::string existing;
  for (const std::string& known : dates) existing += (existing.empty() ? "" : ", ") + known;
  throw IoError("no complete dump of " + wiki + " of " + date + " was found: " + pages.reasons(), {},
                existing.empty()
                    ? "look at the addresses, or give another one with --mirror, or a copy with --from-file"
                    : "there are dumps of " + existing + " (--dump-date)");
}

std::string dump_json(const Dump& dump) {
  Json json = Json::object();
  json.add("wiki", Json::string(dump.wiki));
  json.add("date", Json::string(dump.date));
  Json articles = Json::array();
  for (const CatalogueFile& file : dump.files.articles) articles.push(file_json(file));
  json.add("articles", std::move(articles));
  Json indexes = Json::array();
  for (const CatalogueFile& file : dump.files.indexes) indexes.push(file_json(file));
  json.add("indexes", std::move(indexes));
  return json.dump();
}

Dump parse_dump(const std::string& text, const std::string& where) {
  const Json json = Json::parse(text, where);
  Dump dump{json.at("wiki").text(), json.at("date").text(), {}};
  for (const Json& file : json.at("articles").items()) dump.files.articles.push_back(parse_file(file));
  for (const Json& file : json.at("indexes").items()) dump.files.indexes.push_back(parse_file(file));
  return dump;
}

}  // namespace bertprep
