#include "pipeline/stages/extracted_files.h"

#include <algorithm>
#include <set>
#include <system_error>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/folder.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/damage.h"
#include "pipeline/records/resumption.h"
#include "pipeline/stages/corpus_pieces.h"
#include "pipeline/stages/template_report.h"
#include "source/source_pieces.h"
#include "unicode/ascii.h"
#include "wiki/dump/wiki_page.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStageVersion = "2";
constexpr const char* kPages = "articles.jsonl";
// Its presence says that the files in the folder are this stage's, finished or not.
constexpr const char* kOwner = "extract.started";

constexpr std::size_t kLetters = 26;
constexpr std::size_t kFilesOfFolder = 100;
constexpr std::string_view kPrefix = "wiki_";

std::string file_name(std::size_t number) {
  const std::size_t folder = number / kFilesOfFolder;
  const std::size_t file = number % kFilesOfFolder;
  std::string name{static_cast<char>('A' + folder / kLetters), static_cast<char>('A' + folder % kLetters), '/'};
  name += kPrefix;
  name += static_cast<char>('0' + file / 10);
  name += static_cast<char>('0' + file % 10);
  return name;
}

bool is_folder_name(std::string_view name) {
  return name.size() == 2 && std::all_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

// A user's note or copy in the folder is not ours.
bool is_file_name(std::string_view name) {
  if (!name.starts_with(kPrefix)) return false;
  name.remove_prefix(kPrefix.size());
  return name.size() == 2 && is_ascii_digits(name);
}

std::set<std::string> extracted_names(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& below : list_folder(folder)) {
    const std::string part = below.path().filename();
    if (!below.is_directory() || !is_folder_name(part)) continue;
    for (const auto& file : list_folder(below.path())) {
      const std::string name = file.path().filename();
      if (is_file_name(name)) names.insert(part + "/" + name);
    }
  }
  return names;
}

void refuse_foreign(const OutputFolder& folder) {
  const std::set<std::string> names = extracted_names(folder.path());
  if (names.empty() || fs::exists(folder.state_folder() / kOwner)) return;
  throw FormatError("contains files that were not made here, such as " + *names.begin(), folder.path(),
                    "choose another folder, or give `force` to replace them");
}

// Files of an earlier call with other options.
void remove_all_but(const OutputFolder& folder, std::span<const OutputEntry> entries) {
  std::set<std::string> names = extracted_names(folder.path());
  for (const OutputEntry& entry : entries) names.erase(entry.name);
  for (const std::string& name : names) {
    std::error_code ignored;
    fs::remove(folder.path() / name, ignored);
    fs::remove((folder.path() / name).parent_path(), ignored);
  }
}

void replace_earlier(const ExtractStep& task, const OutputFolder& folder, const Recipe& recipe, const std::string& key,
                     bool force) {
  const auto earlier = folder.record(kExtractTask);
  if (!force && !task.is_intermediate && earlier) refuse_other_result(folder, kExtractTask, recipe, key);
  claim_extracted(folder, force);
  // An equal process may be done with the same files.
  if (!earlier || earlier->key != key) folder.remove_record(kExtractTask);
}

std::string nothing_found(const ReasonCounts& left_out) {
  const auto count = [&](std::string_view reason) {
    const auto found = left_out.by_reason().find(reason);
    return found == left_out.by_reason().end() ? 0 : found->second;
  };
  return "no article was found: " + counted(count(kRedirectReason), "redirect") + " and " +
         counted(count(kOtherSpaceReason), "page") + " of other namespaces";
}

Json counts_of(const StageReport& report) {
  return Json::object()
      .add("articles", Json::number(report.articles))
      .add("rejected", Json::number(report.rejected))
      .add(kRejectedByReason, json_of(report.rejected_by_reason))
      .add(kLeftOut, json_of(report.left_out));
}

}  // namespace

std::optional<ExtractStep> extract_step(std::span<const CorpusPart> parts, const fs::path& folder) {
  ExtractStep task{{.dumps = {}, .folder = folder}, true};
  for (const CorpusPart& part : parts) {
    if (resolve_format(part.inputs, part.source) != InputFormat::kMediawiki) continue;
    const std::vector<fs::path> dumps = part.unfetched.empty() ? dump_inputs(part) : part.inputs;
    task.dumps.insert(task.dumps.end(), dumps.begin(), dumps.end());
    task.source = part.source;
    task.wiki = part.wiki;
    task.wiki.report.clear();  // formatting writes it
  }
  return task.dumps.empty() ? std::nullopt : std::optional(std::move(task));
}

// The names of the dumps are in articles.jsonl, and decide the time of pages with a clock.
Recipe extract_recipe(const ExtractTask& task, std::span<const fs::path> files,
                      const std::optional<CompletionRecord>& earlier) {
  Recipe recipe(kExtractTask, kStageVersion);
  add_wiki(task.wiki, earlier, recipe);
  recipe.add_options(task.files);
  for (const fs::path& file : files) recipe.add("dump", file.filename().native());
  return recipe;
}

void claim_extracted(const OutputFolder& folder, bool force) {
  if (!force) refuse_foreign(folder);
  if (!fs::exists(folder.state_folder() / kOwner)) {
    PendingFile pending = folder.begin_state(kOwner);
    OutputFile(pending.path()).finish();
    pending.publish();
    // After a power failure, it must explain the files.
    sync_folder(folder.state_folder());
  }
  if (!force) refuse_edited(folder, kExtractTask);
}

ExtractedFiles::ExtractedFiles(const ExtractStep& task, const OutputFolder& folder, const Recipe& recipe,
                               const std::string& key, bool force, Progress& progress)
    : task_(task),
      folder_(folder),
      recipe_(recipe),
      progress_(progress),
      max_bytes_(size_in_bytes(task.files.bytes, "bytes")),
      rejects_(folder, kExtractRejects, progress) {
  replace_earlier(task, folder, recipe, key, force);
  begin();
  pending_origins_.emplace(folder.begin(kPages));
  origins_ = std::make_unique<OutputFile>(pending_origins_->path());
}

void ExtractedFiles::write(std::string_view doc, std::string_view origin) {
  if (file_->size_bytes() + doc.size() > max_bytes_) {
    finish();
    begin();
  }
  line_.assign(origin);
  line_ += ",\"file\":\"" + name_ + "\",\"byte\":" + std::to_string(file_->size_bytes()) +
           ",\"bytes\":" + std::to_string(doc.size()) + "}\n";
  origins_->write(line_);
  file_->write(doc);
  digest_->update(doc);
  bytes_ += doc.size();
}

void ExtractedFiles::begin() {
  if (number_ == kLetters * kLetters * kFilesOfFolder) {
    throw FormatError("there are no more names for files after ZZ/wiki_99", folder_.path(), "give larger `bytes`");
  }
  name_ = file_name(number_++);
  const fs::path folder = (folder_.path() / name_).parent_path();
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError::from_errno("the folder can't be created", folder, error.value());
  pending_.emplace(folder_.begin(name_));
  file_ = std::make_unique<OutputFile>(pending_->path());
  digest_.emplace();
}

void ExtractedFiles::finish() {
  file_->finish();
  entries_.push_back({name_, file_->size_bytes(), digest_->finish()});
  pending_->publish();
  pending_.reset();
}

void ExtractedFiles::publish() {
  finish();
  origins_->finish();
  entries_.push_back(OutputFolder::describe(*pending_origins_));
  pending_origins_->publish();
  remove_all_but(folder_, entries_);
  rejects_.finish();
}

StageReport ExtractedFiles::record(const FormatCounts& counts, const ReasonCounts& rejected, const std::string& key) {
  if (counts.articles == 0) progress_.note(nothing_found(counts.left_out));
  StageReport report{.stage = kExtractTask, .tasks_made = 1, .articles = counts.articles};
  report.rejected = rejected.total();
  report.bytes_in = counts.source_bytes;
  report.bytes_out = bytes_;
  report.left_out = counts.left_out;
  report.rejected_by_reason = rejected;
  if (report.rejected != 0) report.rejects_file = RejectFile::path_of(folder_, kExtractRejects);
  CompletionRecord record{.key = key, .outputs = entries_, .recipe = recipe_.json(), .counts = counts_of(report)};
  add_made_templates(task_.wiki, record);
  write_template_report(task_.wiki.report, counts.templates, record.counts);
  folder_.write_record(kExtractTask, record);
  return report;
}

std::optional<StageReport> ExtractedFiles::find(const ExtractTask& task, const OutputFolder& folder,
                                                const std::string& key) {
  const auto earlier = folder.finished(kExtractTask, key);
  if (!earlier) return std::nullopt;
  if (!is_recorded_report(task.wiki.report, earlier->counts)) return std::nullopt;
  // With `strict`, bad records of an earlier call are an error.
  if (task.source.strict && counts_of(*earlier).rejected != 0) return std::nullopt;
  StageReport report = found_report(kExtractTask, *earlier, RejectFile::path_of(folder, kExtractRejects));
  report.tasks_found = 1;
  return report;
}

}  // namespace bertprep
