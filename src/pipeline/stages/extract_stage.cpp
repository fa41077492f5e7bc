#include <algorithm>
#include <array>
#include <set>

#include "base/fields.h"
#include "base/number_text.h"
#include "base/stage_errors.h"
#include "base/task_runner.h"
#include "bertprep/base/error.h"
#include "bertprep/pipeline/stages.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "io/json.h"
#include "io/output_file.h"
#include "pipeline/records/edited_files.h"
#include "pipeline/records/input_digest.h"
#include "pipeline/records/input_guard.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/reject_file.h"
#include "pipeline/records/resumption.h"
#include "pipeline/records/run_expectation.h"
#include "pipeline/records/stage_counts.h"
#include "pipeline/stages/extract_pass.h"
#include "pipeline/stages/extracted_files.h"
#include "pipeline/stages/template_report.h"
#include "pipeline/work/stage_clock.h"
#include "pipeline/work/workers.h"
#include "source/input/article_limit.h"
#include "source/input/input_list.h"
#include "wiki/deferred_extraction.h"
#include "wiki/dump/doc_element.h"
#include "wiki/dump/dump_reader.h"
#include "wiki/dump/multistream_index.h"
#include "wiki/templates/template_file.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExtract = "extract";
constexpr const char* kStageVersion = "2";
constexpr const char* kExtractRejects = "extract.rejects.jsonl";
constexpr const char* kOrigins = "articles.jsonl";
// Its presence says that the files in the folder are this stage's, finished or not.
constexpr const char* kOwner = "extract.started";

std::vector<fs::path> files_of(std::span<const Input> inputs) {
  std::vector<fs::path> files;
  for (const Input& input : inputs) files.insert(files.end(), input.files.begin(), input.files.end());
  return files;
}

// The names of the dumps are in the sidecar, and decide the time of pages with a clock.
Recipe recipe_of_task(const ExtractTask& task, std::span<const fs::path> files,
                      const std::optional<CompletionRecord>& earlier) {
  Recipe recipe(kExtract, kStageVersion);
  add_wiki(task.wiki, earlier, recipe);
  recipe.add_options(task.files);
  for (const fs::path& file : files) recipe.add("dump", file.filename().native());
  return recipe;
}

// Replaces files of an earlier call, finished or not, but not foreign files.
void own_folder(const OutputFolder& folder, bool replace) {
  const fs::path owner = folder.state_folder() / kOwner;
  const std::set<std::string> names = extracted_names(folder.path());
  if (!names.empty() && !replace && !fs::exists(owner)) {
    throw FormatError("contains files that were not made here, such as " + *names.begin(), folder.path(),
                      "choose another folder, or give `force` to replace them");
  }
  PendingFile pending = folder.begin_state(kOwner);
  OutputFile(pending.path()).finish();
  pending.publish();
}

// Removes files of an earlier call with other options that this one did not replace.
void remove_leftovers(const OutputFolder& folder, std::span<const OutputEntry> entries) {
  std::set<std::string> names = extracted_names(folder.path());
  for (const OutputEntry& entry : entries) names.erase(entry.name);
  for (const std::string& name : names) {
    std::error_code ignored;
    fs::remove(folder.path() / name, ignored);
    fs::remove((folder.path() / name).parent_path(), ignored);
  }
}

// Refuses what the user or another recipe made, and withdraws an earlier result.
void replace_earlier(const ExtractTask& task, const WorkOptions& work, const OutputFolder& folder, const Recipe& recipe,
                     const std::string& key, bool has_record) {
  if (has_record && !work.force && !task.is_intermediate) refuse_other_result(folder, kExtract, recipe, key);
  own_folder(folder, work.force);
  if (!work.force) refuse_edited(folder, kExtract);
  folder.remove_record(kExtract);
}

// The report of an earlier call that did the same, unless this one has more to do.
std::optional<StageReport> find_extracted(const ExtractTask& task, const OutputFolder& folder, const std::string& key) {
  const auto earlier = folder.finished(kExtract, key);
  if (!earlier) return std::nullopt;
  if (!is_recorded_report(task.wiki.report, earlier->counts)) return std::nullopt;
  // With `strict`, bad records of an earlier call are an error.
  if (task.source.strict && counts_of(*earlier).rejected != 0) return std::nullopt;
  StageReport report = found_report(kExtract, *earlier, RejectFile::path_of(folder, kExtractRejects));
  report.tasks_found = 1;
  return report;
}

// The outputs, while they are written.
class Outputs {
 public:
  Outputs(const OutputFolder& folder, std::uint64_t max_bytes)
      : files_(folder, max_bytes), origins_pending_(folder.begin(kOrigins)), origins_(origins_pending_.path()) {}

  void write(std::string_view doc, std::string_view origin) {
    const ExtractedFiles::Place place = files_.write(doc);
    line_.assign(origin);
    line_ += ",\"file\":\"" + place.name + "\",\"byte\":" + std::to_string(place.byte) +
             ",\"bytes\":" + std::to_string(doc.size()) + "}\n";
    origins_.write(line_);
  }

  // Gives the files their names.
  std::vector<OutputEntry> publish() {
    files_.finish();
    origins_.finish();
    std::vector<OutputEntry> entries = files_.entries();
    entries.push_back(OutputFolder::describe(origins_pending_));
    origins_pending_.publish();
    return entries;
  }
  std::uint64_t bytes() const { return files_.bytes(); }

 private:
  ExtractedFiles files_;
  PendingFile origins_pending_;
  OutputFile origins_;
  std::string line_;
};

StageReport report_of(const ExtractCounts& counts, const RejectFile& rejects, std::uint64_t bytes_out) {
  StageReport report{.stage = kExtract, .tasks_made = 1, .articles = counts.articles, .rejected = rejects.count()};
  report.bytes_in = counts.page_bytes;
  report.bytes_out = bytes_out;
  report.left_out = counts.left_out;
  report.rejected_by_reason = rejects.reasons();
  report.rejects_file = rejects.path();
  return report;
}

Json counts_of(const StageReport& report) {
  return Json::object()
      .add("articles", Json::number(report.articles))
      .add("rejected", Json::number(report.rejected))
      .add(kRejectedByReason, json_of(report.rejected_by_reason))
      .add(kLeftOut, json_of(report.left_out));
}

std::string nothing_found(const ExtractCounts& counts) {
  return "no article was found: " + counted(counts.redirects, "redirect") + " and " + counted(counts.pages, "page") +
         " of other namespaces";
}

struct FoundPage {
  DumpPage page;
  std::shared_ptr<const WikiSite> site;
};

class PageSearch {
 public:
  PageSearch(const ExtractTask& task, WantedPage& wanted, TaskRunner runner)
      : task_(task), wanted_(wanted), runner_(std::move(runner)) {
    streams_.runner = runner_;
    streams_.damage = [](const std::string&, const std::string&) {};
  }

  std::optional<FoundPage> by_index(const fs::path& dump, const fs::path& index) {
    const auto place = find_in_index(index, wanted_);
    if (!place) return std::nullopt;
    PageScanner head(dump, open_bzip2(dump, streams_, place->head), ignore());
    head.allow_part();
    if (task_.wiki.clean) head.read_elements();
    DumpPage first;
    head.next(first);
    PageScanner part(dump, open_bzip2(dump, streams_, place->stream), ignore());
    part.allow_part();
    if (task_.wiki.clean) part.read_elements();
    if (place->stream.begin != 0) part.begin_in_pages();
    FoundPage found;
    while (part.next(found.page)) {
      if (found.page.page.id != place->id) continue;
      found.site = make_site(head.site(), dump, task_.wiki.clock, first.page.timestamp);
      return found;
    }
    throw FormatError("the page with id " + place->id + " is not where the index says", dump,
                      "give the index of this dump, or search without it");
  }

  std::optional<FoundPage> by_reading(const fs::path& dump, Progress& progress) {
    Rejects rejects(false, ignore());
    DumpReader reader({&dump, 1}, task_.wiki.clock, rejects, runner_);
    if (task_.wiki.clean) reader.read_elements();
    for (FoundPage found; reader.next(found.page);) {
      if (progress.cancelled()) throw Cancelled();
      if (!wanted_.is(found.page.page.id, found.page.page.title)) continue;
      found.site = reader.site();
      return found;
    }
    return std::nullopt;
  }

 private:
  static RejectSink ignore() {
    return [](const auto&, const auto&, auto) {};
  }

  const ExtractTask& task_;
  WantedPage& wanted_;
  TaskRunner runner_;
  StreamOptions streams_;
};

}  // namespace

const OptionGroup ExtractOptions::kGroup = OptionGroup::kOutput;

std::span<const Field<ExtractOptions>> ExtractOptions::fields() {
  static const std::array<Field<ExtractOptions>, 1> kFields{{
      {.name = "bytes",
       .member = &ExtractOptions::bytes,
       .unit = "bytes",
       .help = "start a new file when one would exceed this size, such as 500K, 100M or 1G"},
  }};
  return kFields;
}

StageReport extract_articles(const ExtractTask& task, const WorkOptions& work, Progress& progress) try {
  const StageClock clock;
  check(task.wiki);
  validate(work);
  const std::uint64_t max_bytes = size_in_bytes(task.files.bytes, "bytes");
  refuse_pipes(task.dumps);
  const std::vector<Input> listed = list_inputs(task.dumps);
  const std::vector<fs::path> files = files_of(listed);
  InputGuard(task.dumps).refuse_folder(task.folder);
  check_template_report(task.wiki.report, InputGuard(task.dumps), {&task.folder, 1}, work.force);
  const OutputFolder folder(task.folder);
  const auto known = folder.record(kExtract);
  const Recipe recipe = recipe_of_task(task, files, known);
  CorpusPart dumps{task.dumps, task.source, task.wiki};
  dumps.source.format = InputFormat::kMediawiki;
  const CorpusSize size = size_of_corpus({{dumps}});
  const InputDigest inputs = identify_input(files, {kExtract, size}, known && !work.force, progress);
  const std::string key = recipe.key(inputs.digest);
  // An equal process has finished meanwhile: its result is taken.
  if (!known && !work.force && folder.record(kExtract)) return extract_articles(task, work, progress);
  progress.begin(kExtract, inputs.bytes, "bytes");
  if (auto found = work.force ? std::nullopt : find_extracted(task, folder, key)) {
    clock.measure(*found);
    progress.end();
    return *found;
  }
  for (const Input& input : listed) {
    for (const RecordRemark& remark : input.left_out) progress.remarked(remark);
  }
  replace_earlier(task, work, folder, recipe, key, known.has_value());

  RejectFile reject_file(folder, kExtractRejects, progress);
  Rejects rejects(task.source.strict, [&](const std::string& where, const std::string& reason,
                                          std::string_view record) { reject_file.add(where, reason, record); });
  Outputs outputs(folder, max_bytes);
  InputHasher hasher;
  ExtractPass pass(task, resolve_threads(static_cast<std::size_t>(work.threads)), rejects, &hasher);
  const ExtractCounts counts =
      pass.run([&](std::string_view doc, std::string_view origin) { outputs.write(doc, origin); }, progress);

  progress.advance(inputs.bytes - std::min(inputs.bytes, counts.reported_bytes));
  CompletionRecord record{.key = {}, .outputs = {}, .recipe = recipe.json()};
  if (!counts.error) record.key = recipe.key(hasher.finish(files, progress).digest);
  record.outputs = outputs.publish();
  remove_leftovers(folder, record.outputs);
  reject_file.finish();
  if (counts.error) std::rethrow_exception(counts.error);
  if (counts.articles == 0) progress.note(nothing_found(counts));
  StageReport report = report_of(counts, reject_file, outputs.bytes());
  record.counts = counts_of(report);
  add_made_templates(task.wiki, record);
  write_template_report(task.wiki.report, counts.templates, record.counts);
  folder.write_record(kExtract, record);
  clock.measure(report);
  progress.end();
  return report;
} catch (...) {
  rethrow_as_error("extracting");
}

std::string extract_page(const ExtractTask& task, const std::string& title_or_id, const fs::path& index,
                         const WorkOptions& work, Progress& progress) {
  check(task.wiki);
  const TaskRunner runner = task_runner(resolve_threads(static_cast<std::size_t>(work.threads)));
  WantedPage wanted(title_or_id);
  PageSearch search(task, wanted, runner);
  for (const fs::path& dump : task.dumps) {
    const fs::path lookup = index.empty() ? index_beside(dump) : index;
    const auto found = lookup.empty() ? search.by_reading(dump, progress) : search.by_index(dump, lookup);
    if (!found) continue;
    PageWorker worker(task.wiki, found->site, load_templates(task.wiki.templates, task.dumps, runner));
    std::string lines;
    if (const auto rejection = worker.extract(found->page.page, lines)) {
      throw FormatError(rejection->reason, rejection->where);
    }
    const WikiPage& page = found->page.page;
    std::string doc;
    append_doc(page.id, url_of(*found->site, page.id), page.title, lines, doc);
    return doc;
  }
  throw FormatError("there is no article '" + title_or_id + "'", task.dumps.front(), wanted.advice());
}

}  // namespace bertprep
