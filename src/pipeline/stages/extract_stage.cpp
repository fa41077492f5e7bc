#include "pipeline/stages/extract_stage.h"

#include <algorithm>

#include "base/fields.h"
#include "base/stage_errors.h"
#include "io/folder.h"
#include "pipeline/records/damage.h"
#include "pipeline/records/output_place.h"
#include "pipeline/records/resumption.h"
#include "pipeline/records/run_expectation.h"
#include "pipeline/stages/corpus_pieces.h"
#include "pipeline/stages/template_report.h"
#include "pipeline/work/stage_clock.h"
#include "pipeline/work/workers.h"
#include "source/input/article_limit.h"
#include "source/input/input_list.h"
#include "unicode/ascii.h"
#include "wiki/article_extractor.h"
#include "wiki/dump/dump_reader.h"
#include "wiki/dump/multistream_index.h"
#include "wiki/dump/wiki_page.h"
#include "wiki/mediawiki_source.h"
#include "wiki/templates/template_store.h"

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
  const std::string name{static_cast<char>('A' + folder / kLetters), static_cast<char>('A' + folder % kLetters), '/'};
  return name + std::string(kPrefix) + padded_number(number % kFilesOfFolder, 2);
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

std::string origin_json(const Document& page) {
  std::string line = Json::object()
                         .add("id", Json::string(page.origin.page_id))
                         .add("title", Json::string(page.title))
                         .add("revision_id", Json::string(page.origin.revision_id))
                         .add("timestamp", Json::string(page.origin.timestamp))
                         .add("url", Json::string(page.origin.url))
                         .add("dump", Json::string(page.origin.source))
                         .dump_line();
  line.pop_back();
  return line;
}

std::vector<fs::path> files_of(std::span<const Input> inputs) {
  std::vector<fs::path> files;
  for (const Input& input : inputs) files.insert(files.end(), input.files.begin(), input.files.end());
  return files;
}

class DocTaker final : public DocumentTaker {
 public:
  explicit DocTaker(WriteDoc write) : write_(std::move(write)) {}

  std::unique_ptr<Block> begin_block() override { return std::make_unique<Docs>(); }
  void take(Block& block) override {
    for (const auto& [element, origin] : static_cast<const Docs&>(block).docs) write_(element, origin);
  }

 private:
  struct Docs final : Block {
    bool add(const SourceDocument& page) override {
      if (!page.left_out.empty()) return false;
      auto& [element, origin] = docs.emplace_back();
      append_doc(page.origin.page_id, page.origin.url, page.title, page.text, element);
      origin = origin_json(page);
      return true;
    }

    std::vector<std::pair<std::string, std::string>> docs;
  };

  WriteDoc write_;
};

// Ends at the fault of a whole dump, which is then an error after its articles have been written.
class ReadableDocuments final : public DeferredSource {
 public:
  ReadableDocuments(DeferredSource& source, bool strict) : source_(source), strict_(strict) {}

  bool read(SourceDocument& document) override {
    if (fault_) return false;
    try {
      return source_.read(document);
    } catch (const FormatError&) {
      if (strict_) throw;
      fault_ = std::current_exception();
      return false;
    }
  }
  std::vector<RecordRemark> take_remarks() override { return source_.take_remarks(); }
  ReasonCounts take_left_out() override { return source_.take_left_out(); }
  std::optional<std::uint64_t> input_bytes_read() const override { return source_.input_bytes_read(); }

  const std::exception_ptr& fault() const { return fault_; }

 private:
  DeferredSource& source_;
  bool strict_;
  std::exception_ptr fault_;
};

// Of the inputs of a task, and all that `write` is not given: the rejected pages.
struct ExtractedCounts {
  FormatCounts counts;
  std::string input_digest;
  std::exception_ptr fault;  // of a damaged dump, although all pages were returned
};

ExtractedCounts extract_all(const ExtractTask& task, const WorkOptions& work, std::span<const fs::path> files,
                            ExtractedFiles& extracted, Progress& progress) {
  const FormatPass pass{.strict = task.source.strict,
                        .count_templates = !task.wiki.report.empty(),
                        .threads = resolve_threads(static_cast<std::size_t>(work.threads)),
                        .memory_bytes = memory_bytes(work.memory)};
  std::vector<Rejection> rejections;
  InputHasher hasher;
  const auto pages = open_mediawiki(task.dumps, task.source, options_for_docs(task.wiki), collect_rejects(rejections),
                                    task_runner(pass.threads), &hasher);
  ReadableDocuments source(*pages, task.source.strict);
  const auto taker = take_docs([&](std::string_view doc, std::string_view origin) { extracted.write(doc, origin); });
  ExtractedCounts all{
      pass.run(source, rejections, {.taker = taker.get()}, &extracted.rejects(), progress), {}, source.fault()};
  if (!all.fault) all.input_digest = hasher.finish(files, progress).digest;
  return all;
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

std::unique_ptr<DocumentTaker> take_docs(WriteDoc write) {
  return std::make_unique<DocTaker>(std::move(write));
}

WikiOptions options_for_docs(WikiOptions wiki) {
  wiki.as_is = !wiki.clean;
  return wiki;
}

std::optional<ExtractStep> extract_step(std::span<const CorpusPart> parts, const fs::path& folder) {
  ExtractStep task{{.dumps = {}, .folder = folder}, true};
  for (const CorpusPart& part : parts) {
    if (!is_mediawiki(part)) continue;
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
  origins_.emplace(folder.begin(kPages));
}

void ExtractedFiles::write(std::string_view doc, std::string_view origin) {
  if (file_->out.size_bytes() + doc.size() > max_bytes_) {
    finish();
    begin();
  }
  line_.assign(origin);
  line_ += ",\"file\":\"" + name_ + "\",\"byte\":" + std::to_string(file_->out.size_bytes()) +
           ",\"bytes\":" + std::to_string(doc.size()) + "}\n";
  origins_->out.write(line_);
  file_->out.write(doc);
  digest_.update(doc);
  bytes_ += doc.size();
}

void ExtractedFiles::begin() {
  if (number_ == kLetters * kLetters * kFilesOfFolder) {
    throw FormatError("there are no more names for files after ZZ/wiki_99", folder_.path(), "give larger `bytes`");
  }
  name_ = file_name(number_++);
  make_output_folder((folder_.path() / name_).parent_path());
  file_.emplace(folder_.begin(name_));
  digest_ = Sha256();
}

void ExtractedFiles::finish() {
  file_->out.finish();
  entries_.push_back({name_, file_->out.size_bytes(), digest_.finish()});
  file_->pending.publish();
  file_.reset();
}

void ExtractedFiles::publish() {
  finish();
  origins_->out.finish();
  entries_.push_back(OutputFolder::describe(origins_->pending));
  origins_->pending.publish();
  remove_all_but(folder_, entries_);
  rejects_.finish();
}

StageReport ExtractedFiles::record(const FormatCounts& counts, const ReasonCounts& rejected, const std::string& key) {
  if (counts.articles == 0) progress_.note(nothing_found(counts.left_out));
  CompletionRecord record{.key = key, .outputs = entries_, .recipe = recipe_.json()};
  record.counts.add("articles", Json::number(counts.articles))
      .add("rejected", Json::number(rejected.total()))
      .add(kRejectedByReason, json_of(rejected))
      .add(kLeftOut, json_of(counts.left_out));
  add_made_templates(task_.wiki, record);
  write_template_report(task_.wiki.report, counts.templates, record.counts);
  folder_.write_record(kExtractTask, record);
  StageReport report = found_report(kExtractTask, record, RejectFile::path_of(folder_, kExtractRejects));
  report.tasks_found = 0;
  report.tasks_made = 1;
  report.bytes_in = counts.source_bytes;
  report.bytes_out = bytes_;
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

FieldList<ExtractOptions> fields_of(const ExtractOptions* /*options*/) {
  static const Field<ExtractOptions> kFields[] = {
      {.name = "bytes",
       .member = &ExtractOptions::bytes,
       .unit = "bytes",
       .help = "start a new file when one would exceed this size, such as 500K, 100M or 1G"},
  };
  return {kFields, OptionGroup::kOutput};
}

StageReport extract_articles(const ExtractTask& task, const WorkOptions& work, Progress& progress) {
  return extract_articles(ExtractStep{task}, work, progress);
}

StageReport extract_articles(const ExtractStep& task, const WorkOptions& work, Progress& progress) try {
  const StageClock clock;
  check(task.wiki);
  validate(work);
  size_in_bytes(task.files.bytes, "bytes");
  refuse_pipes(task.dumps);
  const std::vector<Input> listed = list_inputs(task.dumps);
  const std::vector<fs::path> files = files_of(listed);
  InputGuard(task.dumps).refuse_folder(task.folder);
  check_template_report(task.wiki.report, InputGuard(task.dumps), {&task.folder, 1}, work.force);
  const OutputFolder folder(task.folder);
  const auto known = folder.record(kExtractTask);
  const Recipe recipe = extract_recipe(task, files, known);
  CorpusPart dumps{task.dumps, task.source, task.wiki};
  dumps.source.format = InputFormat::kMediawiki;
  const CorpusSize size = size_of_corpus({{dumps}});
  const InputDigest inputs = identify_input(files, {kExtractTask, size}, known && !work.force, progress);
  const std::string key = recipe.key(inputs.digest);
  // An equal process has finished meanwhile: its result is taken.
  if (!known && !work.force && folder.record(kExtractTask)) return extract_articles(task, work, progress);
  progress.begin(kExtractTask, inputs.bytes, "bytes");
  std::optional<StageReport> report = work.force ? std::nullopt : ExtractedFiles::find(task, folder, key);
  if (!report) {
    for (const Input& input : listed) {
      for (const RecordRemark& remark : input.left_out) progress.remarked(remark);
    }
    ExtractedFiles extracted(task, folder, recipe, key, work.force, progress);
    const ExtractedCounts all = extract_all(task, work, files, extracted, progress);
    progress.advance(inputs.bytes - std::min(inputs.bytes, all.counts.reported_bytes));
    extracted.publish();
    if (all.fault) std::rethrow_exception(all.fault);
    report = extracted.record(all.counts, extracted.rejects().reasons(), recipe.key(all.input_digest));
  }
  clock.measure(*report);
  progress.end();
  return *report;
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
    ArticleExtractor extractor(task.wiki, found->site, load_templates(task.wiki.templates, task.dumps, runner));
    std::string lines;
    if (const auto rejection = extractor.extract(found->page.page, lines)) {
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
