// Vocabularies and Punkt parameters: single small files, some of them in large archives.
#include <algorithm>

#include "base/nearest_name.h"
#include "base/number_text.h"
#include "fetch/fetch_job.h"
#include "fetch/unpack.h"
#include "io/input_file.h"
#include "io/pending_file.h"
#include "stream/archive.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::array kPunktFiles = {"abbrev_types.txt", "collocations.tab", "sent_starters.txt", "ortho_context.tab"};

// Consecutive mirrors that have the same: the file itself, or an archive with it.
struct MirrorGroup {
  std::string member;
  std::vector<std::string> urls;
};

std::vector<MirrorGroup> groups_of(const std::vector<Mirror>& mirrors) {
  std::vector<MirrorGroup> groups;
  for (const Mirror& mirror : mirrors) {
    if (groups.empty() || groups.back().member != mirror.member) groups.push_back({mirror.member, {}});
    groups.back().urls.push_back(mirror.url);
  }
  return groups;
}

const CatalogueEntry& vocab_of(const Catalogue& catalogue, const std::string& name) {
  if (const CatalogueEntry* found = catalogue.find_vocab(name)) return *found;
  throw ConfigError("there is no vocabulary '" + name + "'" + suggestion_text(name, names_of(catalogue.vocabs)), {},
                    "the known vocabularies are " + joined(catalogue.vocabs, ", ", &CatalogueEntry::name));
}

// Unpacks the member of `archive` to `target`.
void take_member(const FetchJob& job, const fs::path& archive, const std::string& member, const FileFacts& facts,
                 const fs::path& target, const fs::path& state) {
  unpack(
      {archive, mark_of(archive, state), {{member, target.filename().string(), facts}}, 0, target.parent_path(), state},
      job.progress);
}

// False: no source of the group has it, and `failed` has further entries.
bool download_group(const FetchJob& job, const MirrorGroup& group, const FileFacts& facts, const fs::path& target,
                    const fs::path& state, std::vector<FailedSource>& failed) {
  const std::size_t before = failed.size();
  const bool is_archive = !group.member.empty();
  DownloadTask task{target, state, group.urls, facts};
  if (is_archive) task = {state / fs::path(path_of(group.urls.front())).filename(), state, group.urls, {}, false};
  task.failed = &failed;
  bool is_there = false;
  try {
    download_all({task}, job.options, job.policy, job.progress);
    if (is_archive) take_member(job, task.target, group.member, facts, target, state);
    is_there = true;
  } catch (const FormatError& error) {
    if (failed.size() == before) failed.push_back({group.urls.front(), Trouble::kOtherData, error.what()});
  } catch (const IoError&) {
    if (failed.size() == before) throw;
  }
  std::error_code ignored;
  if (is_archive) fs::remove(task.target, ignored);
  return is_there;
}

// The user's file, or an archive or folder with it.
void copy_local(const FetchJob& job, const fs::path& from, const CatalogueFile& file, const fs::path& target,
                const fs::path& state) {
  fs::path path = from;
  for (const std::string& name : {file.name, std::string("vocab.txt")}) {
    if (fs::is_directory(from) && fs::is_regular_file(from / name)) path = from / name;
  }
  if (!fs::is_regular_file(path)) throw IoError("has no " + file.name, from, "give `from_file` the file itself");
  if (path.extension() == ".zip" || path.extension() == ".tgz") {
    take_member(job, path, "vocab.txt", file.facts, target, state);
    return;
  }
  const std::string bytes = read_file(path);
  FactsMeter meter(file.facts);
  meter.update(bytes);
  if (const std::string problem = contradiction(file.facts, meter.finish()); !problem.empty()) {
    throw FormatError("is not " + file.name + ": it " + problem, path);
  }
  publish_bytes(target, state, bytes);
}

UnpackTask punkt_task(const fs::path& archive, const std::string& language, const fs::path& folder,
                      const fs::path& state) {
  UnpackTask task{archive, {}, {}, 0, folder, state};
  for (const char* file : kPunktFiles) task.members.push_back({language + "/" + file, file});
  return task;
}

// The languages for which the archive has parameters.
class Languages final : public MemberVisitor {
 public:
  Choice begin(const VisitedMember& member) override {
    const fs::path path(member.path);
    const std::string language = path.parent_path().filename().string();
    if (path.filename() == kPunktFiles.front()) names_.push_back(language);
    return Choice::kSkip;
  }
  void bytes(std::string_view) override {}
  void end() override {}
  std::vector<std::string> names_;
};

void require_language(const fs::path& archive, const std::string& language) {
  Languages languages;
  visit_archive(archive, languages);
  if (std::ranges::find(languages.names_, language) != languages.names_.end()) return;
  throw ConfigError("there are no Punkt parameters of '" + language + "'", archive,
                    "the known languages are " + joined(languages.names_));
}

FetchSubject vocab_subject(const std::string& name, const std::string& option) {
  return {"the vocabulary " + name, "bertprep vocab fetch " + name, option};
}

FetchSubject punkt_subject(const std::string& language, const fs::path& folder) {
  const std::string name = language == "english" ? "punkt" : "punkt_" + language;
  return {"the Punkt parameters of " + language, "bertprep fetch " + name + " --folder " + path_word(folder),
          "--punkt DIR"};
}

// Finds in `from` the four files, or a folder of the language with them.
fs::path punkt_folder_in(const fs::path& from, const std::string& language) {
  for (const fs::path& folder : {from, from / language, from / "punkt_tab" / language}) {
    const auto has = [&](const char* file) { return fs::is_regular_file(folder / file); };
    if (std::ranges::all_of(kPunktFiles, has)) return folder;
  }
  throw IoError("has no Punkt parameters of " + language, from,
                "give `from_file` punkt_tab.zip, or its unpacked folder");
}

}  // namespace

bool can_fetch_vocab(const std::string& name, const FetchOptions& options) {
  const Catalogue catalogue = load_catalogue(options);
  const CatalogueEntry* vocab = catalogue.find_vocab(name);
  return vocab != nullptr && !vocab->files.front().mirrors.empty();
}

static void fetch_vocab_to(const FetchJob& job, const std::string& name, const fs::path& target) {
  const FetchOptions& options = job.options;
  const CatalogueFile& file = vocab_of(job.catalogue, name).files.front();
  const Place place(target.parent_path().parent_path(), target.parent_path().filename().string());
  if (fs::is_regular_file(target) && is_right(job, target, file.facts, facts_of_file(target, file.facts))) return;
  const std::vector<MirrorGroup> groups = groups_of(mirrors_of(file, options));
  if (options.offline && options.from_file.empty() && groups.empty()) job.throw_offline();
  place.make();
  if (!options.from_file.empty()) return copy_local(job, options.from_file, file, target, place.state);
  if (file.mirrors.empty()) throw ConfigError("the vocabulary '" + name + "' comes with the program");
  std::vector<FailedSource> failed;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto before = static_cast<std::ptrdiff_t>(failed.size());
    if (download_group(job, groups[i], file.facts, target, place.state, failed)) return;
    if (i + 1 == groups.size()) break;
    job.progress.note(in_one_line({failed.begin() + before, failed.end()}) + "; trying " + groups[i + 1].urls.front() +
                      " next");
  }
  throw_failed(job.subject.what + " could not be fetched", {},
               "check the addresses, or give another one with `mirror`, or a copy with " + job.subject.option, failed);
}

void fetch_vocab_file(const std::string& name, const fs::path& target, const FetchOptions& options,
                      Progress& progress) {
  fetch_vocab_to(FetchJob(options, progress, vocab_subject(name, "`from_file` FILE")), name, target);
}

fs::path fetch_vocab(const std::string& name, const fs::path& folder, const FetchOptions& options, Progress& progress) {
  const FetchJob job(options, progress, vocab_subject(name, "`vocab` FILE"));
  const fs::path target = folder / "vocab" / (vocab_of(job.catalogue, name).name + ".txt");
  fetch_vocab_to(job, name, target);
  return target;
}

fs::path fetch_punkt(const std::string& language, const fs::path& folder, const FetchOptions& options,
                     Progress& progress) {
  const FetchJob job(options, progress, punkt_subject(language, folder));
  const bool plain = language.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos;
  if (language.empty() || !plain) throw ConfigError("'" + language + "' does not name a language", {}, "as in english");
  const Place archives(folder, "punkt");
  const Place place(archives.folder, language);
  if (is_unpacked(punkt_task({}, language, place.folder, place.state))) return place.folder;
  fs::path archive = options.from_file;
  if (fs::is_directory(archive)) {
    const fs::path from = punkt_folder_in(archive, language);
    place.make();
    for (const char* file : kPunktFiles) publish_bytes(place.folder / file, place.state, read_file(from / file));
    progress.note("using the Punkt parameters in " + from.string() + ", unchecked");
    return place.folder;
  }
  if (archive.empty()) {
    fetch_files(job, archives, {job.catalogue.punkt});
    archive = archives.folder / job.catalogue.punkt.name;
  } else {
    archives.make();
    check_local_file(job, archives, job.catalogue.punkt, archive);
  }
  place.make();
  require_language(archive, language);
  UnpackTask task = punkt_task(archive, language, place.folder, place.state);
  task.archive_mark = mark_of(archive, archives.state);
  unpack(task, progress);
  return place.folder;
}

}  // namespace bertprep
