// Extracts one page of a dump, for display.
#include "base/task_runner.h"
#include "bertprep/base/error.h"
#include "bertprep/pipeline/stages.h"
#include "pipeline/work/workers.h"
#include "source/input/article_limit.h"
#include "wiki/deferred_extraction.h"
#include "wiki/dump/doc_element.h"
#include "wiki/dump/dump_reader.h"
#include "wiki/dump/multistream_index.h"
#include "wiki/templates/template_file.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

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
