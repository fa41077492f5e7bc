// read: the articles of files, one by one.
#include <mutex>

#include "bertprep/base/error.h"
#include "bertprep/pipeline/stages.h"
#include "bindings.h"
#include "pipeline/ignored_options.h"

namespace bertprep::python {
namespace {

constexpr std::size_t kMaxReadDocuments = 128;
constexpr std::size_t kMaxReadBytes = std::size_t{1} << 18U;

CorpusPart part_of(Keywords& keywords) {
  CorpusPart part;
  keywords.set(part.source);
  keywords.set(part.wiki);
  return part;
}

// The documents, taken in batches without the interpreter's lock. Several threads may share one.
class Reader {
 public:
  Reader(const py::object& inputs, const py::dict& given) {
    Keywords keywords(given);
    CorpusPart part = part_of(keywords);
    keywords.require_all_known("read");
    const std::vector<std::string> paths = paths_of(inputs, "input");
    part.inputs.assign(paths.begin(), paths.end());
    check(part.source);
    check(part.wiki);
    const py::gil_scoped_release released;
    Progress silent;
    resolve_format(part.inputs, part.source);  // what can't be read is an error at once
    refuse_ignored_options(keywords.given(), {&part, 1}, silent);
    RejectSink reject;
    if (!part.source.strict) {
      reject = [this](const std::string&, const std::string& reason, std::string_view) { rejected_.add(reason); };
    }
    source_ = open_corpus({&part, 1}, reject);
  }

  // A list of documents; empty at the end.
  py::list next_batch() {
    std::vector<Document> documents;
    {
      const py::gil_scoped_release released;
      const std::lock_guard lock(mutex_);
      for (std::size_t bytes = 0; source_ && documents.size() < kMaxReadDocuments && bytes < kMaxReadBytes;) {
        Document document;
        if (!source_->next(document)) {
          left_out_.add(source_->take_left_out());
          source_.reset();
          break;
        }
        bytes += document.text.size();
        documents.push_back(std::move(document));
      }
      if (source_) left_out_.add(source_->take_left_out());
    }
    const py::object type = py::module_::import("bertprep.results").attr("Document");
    py::list made;
    for (const Document& document : documents) {
      const Origin& origin = document.origin;
      made.append(type(text_object(document.title), text_object(document.text), text_object(origin.source),
                       text_object(origin.page_id), text_object(origin.revision_id), text_object(origin.timestamp),
                       text_object(origin.url), origin.line));
    }
    return made;
  }

  void close() {
    const py::gil_scoped_release released;
    const std::lock_guard lock(mutex_);
    source_.reset();
  }

  py::object rejected() const { return counts_object(rejected_); }
  py::object left_out() const { return counts_object(left_out_); }

 private:
  py::object counts_object(const ReasonCounts& counts) const {
    ReasonCounts copy;
    {
      const py::gil_scoped_release released;
      const std::lock_guard lock(mutex_);
      copy = counts;
    }
    return to_object(copy);
  }

  mutable std::mutex mutex_;
  ReasonCounts rejected_;
  ReasonCounts left_out_;
  std::unique_ptr<DocumentSource> source_;
};

}  // namespace

void bind_reading(py::module_& module) {
  py::class_<Reader>(module, "Reader")
      .def(py::init<const py::object&, const py::dict&>())
      .def("next_batch", &Reader::next_batch)
      .def("close", &Reader::close)
      .def_property_readonly("rejected", &Reader::rejected)
      .def_property_readonly("left_out", &Reader::left_out);
  define_options(module, "read", [](Keywords& keywords) { part_of(keywords); });
}

}  // namespace bertprep::python
