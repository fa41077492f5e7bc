// fetch_wiki: dumps of Wikipedias.
#include <algorithm>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "fetch/dataset_files.h"
#include "fetch/fetched_record.h"
#include "fetch/mirror_ring.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "io/pending_file.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "wikicorpus_";
constexpr std::string_view kFormat = "mediawiki";

fs::path plan_path(const fs::path& state_folder, const std::string& date) {
  return state_folder / ("dump-" + date + ".json");
}

// The dump that an earlier call chose: `latest` stays the same, so that a broken download resumes with the same dump
// and finished work stays valid.
std::optional<Dump> chosen_before(const fs::path& state_folder, const std::string& date) {
  fs::path newest;
  for (const auto& entry : list_folder_if_any(state_folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("dump-") || !name.ends_with(".json")) continue;
    if (date != "latest" && entry.path() != plan_path(state_folder, date)) continue;
    if (newest.empty() || name > newest.filename().string()) newest = entry.path();
  }
  if (newest.empty()) return std::nullopt;
  try {
    return parse_dump(read_file(newest), newest);
  } catch (const FormatError&) {
    return std::nullopt;
  }
}

std::vector<fs::path> wiki_files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : list_folder(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  return files;
}

// The articles among the user's files: those with names of a dump, of the newest date, else all XML files.
std::vector<fs::path> articles_in(const fs::path& folder, const std::string& wiki) {
  const std::vector<fs::path> files = wiki_files_in(folder);
  ListedFiles listed;
  std::vector<std::string> dates;
  for (const fs::path& path : files) {
    CatalogueFile file;
    file.name = path.filename().string();
    const std::string name = file.name;
    listed.push_back(std::move(file));
    if (!name.starts_with(wiki + "-")) continue;
    const std::string rest = name.substr(wiki.size() + 1);
    const std::string date = rest.substr(0, rest.starts_with("20") && rest.find('-') == 4 ? 10 : rest.find('-'));
    if (std::ranges::find(dates, date) == dates.end()) dates.push_back(date);
  }
  std::ranges::sort(dates, std::greater<>());
  std::vector<fs::path> articles;
  for (const std::string& date : dates) {
    for (const CatalogueFile& file : choose_files(listed, wiki, date).articles) articles.push_back(folder / file.name);
    if (!articles.empty()) return articles;
  }
  for (const fs::path& path : files) {
    const std::string name = path.filename().string();
    if (name.find(".xml") != std::string::npos) articles.push_back(path);
  }
  return articles;
}

FetchedPart take_local(const FetchJob& job, const Place& place, const std::string& wiki, const fs::path& from_file) {
  if (!fs::exists(from_file)) throw IoError("does not exist", from_file, "give `from_file` a file or folder");
  place.make();
  FetchedPart part{std::string(kFormat), {from_file}};
  if (fs::is_directory(from_file)) part.files = articles_in(from_file, wiki);
  if (part.files.empty()) throw IoError("has no dump of " + wiki, from_file, "the name of a dump contains .xml");
  for (const fs::path& path : part.files) {
    CatalogueFile file;
    file.name = path.filename().string();
    const auto known = std::ranges::find(job.catalogue.dumps.files, file.name, &CatalogueFile::name);
    if (known != job.catalogue.dumps.files.end()) file.facts = known->facts;
    check_local_file(job, place, file, path);
  }
  return part;
}

}  // namespace

std::string language_of(const std::string& name) {
  return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : "";
}

Dump wiki_dump(const FetchJob& job, const std::string& name, const fs::path& state_folder) {
  const std::string wiki = wiki_of_language(language_of(name));
  if (const auto before = chosen_before(state_folder, job.options.dump_date)) return *before;
  const std::vector<std::string> bases = mirror_bases(job.options);
  const auto may_be_asked = [&](const std::string& base) { return may_ask(base, job.options); };
  if (job.options.offline && std::ranges::none_of(bases, may_be_asked)) job.throw_offline();
  return find_dump(wiki, job.options.dump_date, job.catalogue.dumps, job.options, job.policy, job.progress);
}

// One process asks the servers; others waiting for it find its answer.
static Dump choose_dump(const FetchJob& job, const std::string& name, const Place& place) {
  if (job.options.offline) return wiki_dump(job, name, place.state);
  place.make();
  const ProcessLock lock(place.state / "dump.lock", job.progress);
  Dump dump = wiki_dump(job, name, place.state);
  publish_bytes(plan_path(place.state, dump.date), place.state, dump_json(dump));
  return dump;
}

FetchedPart fetch_wiki(const FetchJob& job, const std::string& name, const fs::path& folder,
                       const fs::path& from_file) {
  const std::string wiki = wiki_of_language(language_of(name));
  const Place place(folder, name);
  if (!from_file.empty()) return take_local(job, place, wiki, from_file);
  const Dump dump = choose_dump(job, name, place);
  std::vector<CatalogueFile> files = dump.files.articles;
  files.insert(files.end(), dump.files.indexes.begin(), dump.files.indexes.end());
  job.progress.note(name + " is the dump of " + dump.date + ", " + counted(files.size(), "file"));
  fetch_files(job, place, files);
  FetchedPart part{std::string(kFormat), {}};
  for (const CatalogueFile& file : dump.files.articles) part.files.push_back(place.folder / file.name);
  for (const CatalogueFile& file : files) part.downloads.push_back(place.folder / file.name);
  return part;
}

}  // namespace bertprep
