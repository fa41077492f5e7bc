#include <algorithm>
#include <array>
#include <exception>

#include "base/fields.h"
#include "base/stage_errors.h"
#include "base/task_runner.h"
#include "bertprep/base/error.h"
#include "bertprep/pipeline/stages.h"
#include "pipeline/records/input_digest.h"
#include "pipeline/records/output_place.h"
#include "pipeline/records/run_expectation.h"
#include "pipeline/stages/doc_taker.h"
#include "pipeline/stages/extracted_files.h"
#include "pipeline/stages/template_report.h"
#include "pipeline/work/stage_clock.h"
#include "pipeline/work/workers.h"
#include "source/input/article_limit.h"
#include "source/input/deferred_work.h"
#include "source/input/input_list.h"
#include "wiki/deferred_extraction.h"
#include "wiki/dump/doc_element.h"
#include "wiki/dump/dump_reader.h"
#include "wiki/dump/multistream_index.h"
#include "wiki/mediawiki_source.h"
#include "wiki/templates/template_file.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(std::span<const Input> inputs) {
  std::vector<fs::path> files;
  for (const Input& input : inputs) files.insert(files.end(), input.files.begin(), input.files.end());
  return files;
}

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
  const auto reject = [&](const std::string& where, const std::string& reason, std::string_view record) {
    rejections.push_back({where, reason, std::string(record)});
  };
  InputHasher hasher;
  const auto pages = open_mediawiki(task.dumps, task.source, DocTaker::lines_of(task.wiki), reject,
                                    task_runner(pass.threads), &hasher);
  ReadableDocuments source(*pages, task.source.strict);
  DocTaker taker([&](std::string_view doc, std::string_view origin) { extracted.write(doc, origin); });
  ExtractedCounts all{
      pass.run(source, rejections, {.taker = &taker}, &extracted.rejects(), progress), {}, source.fault()};
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

OptionGroup group_of(const ExtractOptions* /*options*/) {
  return OptionGroup::kOutput;
}

std::span<const Field<ExtractOptions>> fields_of(const ExtractOptions* /*options*/) {
  static const std::array<Field<ExtractOptions>, 1> kFields{{
      {.name = "bytes",
       .member = &ExtractOptions::bytes,
       .unit = "bytes",
       .help = "start a new file when one would exceed this size, such as 500K, 100M or 1G"},
  }};
  return kFields;
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
