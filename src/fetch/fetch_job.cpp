#include "fetch/fetch_job.h"

#include <algorithm>

#include "base/address.h"
#include "base/number_text.h"
#include "fetch/pages.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "io/pending_file.h"
#include "io/state_folder.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Whether the file exists and is correct. Reads it unless a record says so.
bool is_present(const FetchJob& job, const Place& place, const CatalogueFile& file) {
  const fs::path target = place.folder / fs::path(file.name).filename();
  if (!fs::is_regular_file(target)) return false;
  if (const auto record = find_record(target, place.state)) {
    if (contradiction(file.facts, record->facts).empty()) return true;
  }
  const FileFacts found = facts_of_file(target, file.facts);
  if (!is_right(job, target, file.facts, found)) return false;
  place.make();
  save_record({found, "found"}, target, place.state);
  if (!file.facts.has_digest() && job.note_unchecked) {
    job.progress.note(target.string() + " was found and is used unchecked, because its digest is unknown");
  }
  return true;
}

// Where the file is: `place`, or below it.
Place place_of(const Place& place, const CatalogueFile& file) {
  const fs::path folder = (place.folder / file.name).parent_path();
  return folder == place.folder ? place : Place(folder.parent_path(), folder.filename());
}

void require_room(const Place& place, const std::vector<DownloadTask>& tasks) {
  std::uint64_t needed = 0;
  for (const DownloadTask& task : tasks) {
    std::error_code error;
    const fs::path part = task.state_folder / (task.target.filename().string() + ".part");
    const std::uintmax_t there = fs::file_size(part, error);
    const std::uint64_t size = task.facts.size_bytes;
    if (size != 0) needed += size - (error ? 0 : std::min<std::uint64_t>(there, size));
  }
  const std::uint64_t free = fs::space(place.state).available;
  if (needed <= free) return;
  throw IoError("the download needs " + counted(needed, "byte") + ", but " + grouped(free) + " are free on its disk",
                place.folder.string(), "free some space, or choose another folder");
}

// "a, b and c".
std::string listed(const std::vector<FetchSubject>& subjects, std::string FetchSubject::*text) {
  std::string list;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    if (i != 0) list += i + 1 == subjects.size() ? " and " : ", ";
    list += subjects[i].*text;
  }
  return list;
}

std::string offline_text(const std::vector<FetchSubject>& missing) {
  return "not on this machine, and `offline` forbids downloads: " + listed(missing, &FetchSubject::what);
}

std::string offline_hint(std::vector<FetchSubject> missing) {
  for (FetchSubject& subject : missing) subject.command = "'" + subject.command + "'";
  return "on a machine with network access, run " + listed(missing, &FetchSubject::command) +
         (missing.size() == 1 ? ", or give a copy with " : ", or give copies with ") +
         listed(missing, &FetchSubject::option);
}

}  // namespace

OfflineError::OfflineError(std::vector<FetchSubject> missing)
    : IoError(offline_text(missing), {}, offline_hint(missing)), missing_(std::move(missing)) {}

std::string path_word(const fs::path& path) {
  const std::string text = path.string();
  return text.find_first_of(" \t\n\"'\\$`&;|<>()*?[]#~!") == std::string::npos ? text : "\"" + text + "\"";
}

FetchJob::FetchJob(const FetchOptions& fetch_options, Progress& observer, FetchSubject fetch_subject)
    : options(fetch_options), progress(observer), subject(std::move(fetch_subject)), policy{fetch_options.retries} {
  check(options);
  catalogue = load_catalogue(options);
}

void FetchJob::require_any(const std::vector<std::string>& urls) const {
  if (std::ranges::none_of(urls, [&](const std::string& url) { return may_ask(url, options); })) throw_offline();
}

bool is_right(const FetchJob& job, const fs::path& file, const FileFacts& known, const FileFacts& found) {
  const std::string problem = contradiction(known, found);
  if (problem.empty()) return true;
  job.progress.note(file.string() + " " + problem +
                    (job.options.offline ? "; it can't be used" : "; it is downloaded again"));
  return false;
}

Place::Place(const fs::path& parent, const std::string& name) : folder(parent / name), state(state_beside(folder)) {}

void Place::make() const {
  refuse_address(folder.native());
  make_folders(folder);
  make_folders(state);
}

DownloadTask download_task(const FetchJob& job, const CatalogueFile& file, const fs::path& folder,
                           const fs::path& state_folder) {
  DownloadTask task{folder / file.name, state_folder, {}, file.facts, job.note_unchecked, job.subject.option};
  for (const Mirror& mirror : mirrors_of(file, job.options)) task.urls.push_back(mirror.url);
  if (job.options.offline && task.urls.empty()) job.throw_offline();
  return task;
}

void fetch_files(const FetchJob& job, const Place& place, const std::vector<CatalogueFile>& files,
                 std::vector<FailedSource>* failed) {
  std::vector<DownloadTask> tasks;
  std::vector<Place> places;
  for (const CatalogueFile& file : files) {
    const Place own = place_of(place, file);
    if (is_present(job, own, file)) continue;
    tasks.push_back(download_task(job, file, place.folder, own.state));
    tasks.back().failed = failed;
    places.push_back(own);
  }
  if (tasks.empty()) return;
  std::shared_ptr<const HttpCredentials> credentials;
  for (DownloadTask& task : tasks) {
    const bool is_mirrored_here = !task.urls.empty() && task.urls.front().starts_with("file://");
    if (!credentials && !is_mirrored_here && job.credentials) credentials = job.credentials();
    task.credentials = credentials;
  }
  place.make();
  for (const Place& own : places) own.make();
  require_room(place, tasks);
  download_all(tasks, job.options, job.policy, job.progress);
}

Json kept_listing(const FetchJob& job, const Place& place, const std::vector<std::string>& servers,
                  const std::function<std::string()>& find, const std::function<SavedListing()>& ask) {
  // One that is damaged, as by a power failure, is asked for again.
  const auto saved = [&]() -> std::optional<Json> {
    try {
      const fs::path file = place.state / find();
      const auto text = read_file_if_any(file);
      return text ? std::optional(Json::parse(*text, file)) : std::nullopt;
    } catch (const FormatError&) {
      return std::nullopt;
    }
  };
  if (auto known = saved()) return *known;
  job.require_any(servers);
  place.make();
  const ProcessLock lock(place.state / "listing.lock", job.progress);
  if (auto known = saved()) return *known;
  SavedListing found = ask();
  publish_bytes(place.state / found.name, place.state, found.listing.dump());
  return found.listing;
}

std::uint64_t ask_size(const FetchJob& job, const CatalogueFile& file, Pages& pages) {
  if (file.facts.size_bytes != 0) return file.facts.size_bytes;
  for (const Mirror& mirror : mirrors_of(file, job.options)) {
    const auto size = pages.size_of(mirror.url);
    if (size && *size != 0) return *size;
  }
  return 0;
}

std::string mark_of(const fs::path& file, const fs::path& state_folder) {
  const auto record = find_record(file, state_folder);
  return record ? record->facts.sha256 : facts_of_file(file, {}).sha256;
}

void check_local_file(const FetchJob& job, const Place& place, const CatalogueFile& file, const fs::path& path) {
  if (!file.facts.has_digest() && file.facts.size_bytes == 0) {
    job.progress.note("using " + path.string() + " unchecked, because the digest of " + file.name + " is unknown");
    return;
  }
  auto record = find_record(path, place.state);
  if (!record || !contradiction(file.facts, record->facts).empty()) {
    record = {facts_of_file(path, file.facts), path.string()};
  }
  if (const std::string problem = contradiction(file.facts, record->facts); !problem.empty()) {
    throw FormatError("is not " + file.name + " of the catalogue: it " + problem, path,
                      "describe your file in a catalogue (`catalog`), or give its text to run `input`");
  }
  save_record(*record, path, place.state);
  job.progress.note("using " + path.string() + ", checked as " + file.name);
}

}  // namespace bertprep
