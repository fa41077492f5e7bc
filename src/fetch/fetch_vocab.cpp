// Vocabularies and Punkt parameters: single small files, some of them in large archives.
#include <algorithm>
#include <array>

#include "base/nearest_name.h"
#include "bertprep/base/error.h"
#include "fetch/download.h"
#include "fetch/fetch_job.h"
#include "fetch/fetched_record.h"
#include "fetch/mirror_ring.h"
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

const CatalogueVocab& vocab_of(const Catalogue& catalogue, const std::string& name) {
  if (const CatalogueVocab* found = catalogue.find_vocab(name)) return *found;
  std::vector<std::string> names;
  std::string list;
  for (const CatalogueVocab& vocab : catalogue.vocabs) {
    names.push_back(vocab.name);
    names.insert(names.end(), vocab.aliases.begin(), vocab.aliases.end());
    list += (list.empty() ? "" : ", ") + vocab.name;
  }
  throw ConfigError("there is no vocabulary '" + name + "'" + suggestion_text(name, names), {},
                    "the known vocabularies are " + list);
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
  DownloadTask task{target, state, group.urls, facts};
  if (!group.member.empty()) {
    const std::string path = path_of(group.urls.front());
    task = {state / path.substr(path.rfind('/') + 1), state, group.urls, {}, false};
  }
  task.failed = &failed;
  try {
    download_all({task}, job.options, job.policy, job.progress);
    if (group.member.empty()) return true;
    take_member(job, task.target, group.member, facts, target, state);
  } catch (const FormatError& error) {
    if (failed.size() != before) return false;
    failed.push_back({group.urls.front(), Trouble::kOtherData, error.what()});
    std::error_code ignored;
    fs::remove(task.target, ignored);
    return false;
  } catch (const IoError&) {
    if (failed.size() == before) throw;
    return false;
  }
  std::error_code error;
  fs::remove(task.target, error);
  return true;
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

bool is_vocab_present(const FetchJob& job, const fs::path& target, const FileFacts& facts) {
  return fs::is_regular_file(target) && is_right(job, target, facts, facts_of_file(target, facts));
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
  std::string list;
  for (const std::string& name : languages.names_) list += (list.empty() ? "" : ", ") + name;
  throw ConfigError("there are no Punkt parameters of '" + language + "'", archive, "the known languages are " + list);
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
  const CatalogueVocab* vocab = catalogue.find_vocab(name);
  return vocab != nullptr && !vocab->file.mirrors.empty();
}

static void fetch_vocab_to(const FetchJob& job, const std::string& name, const fs::path& target) {
  const FetchOptions& options = job.options;
  const CatalogueVocab& vocab = vocab_of(job.catalogue, name);
  const Place place(target.parent_path().parent_path(), target.parent_path().filename().string());
  if (is_vocab_present(job, target, vocab.file.facts)) return;
  const std::vector<MirrorGroup> groups = groups_of(mirrors_of(vocab.file, options));
  if (options.offline && options.from_file.empty() && groups.empty()) job.throw_offline();
  place.make();
  if (!options.from_file.empty()) return copy_local(job, options.from_file, vocab.file, target, place.state);
  if (vocab.file.mirrors.empty()) throw ConfigError("the vocabulary '" + name + "' comes with the program");
  std::vector<FailedSource> failed;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto before = static_cast<std::ptrdiff_t>(failed.size());
    if (download_group(job, groups[i], vocab.file.facts, target, place.state, failed)) return;
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
