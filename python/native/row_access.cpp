// Rows of shards: ShardReader, inspect, explain.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "bertprep/shard/shard_reader.h"
#include "bindings.h"
#include "pipeline/explain/explain.h"
#include "records.h"
#include "report/html.h"
#include "report/inspected_rows.h"
#include "shard/hdf5/hdf5_input.h"

namespace bertprep::python {
namespace {

namespace fs = std::filesystem;

// `values` of `owner` as an array of rows, without a copy.
template <class Owner, class T>
py::array array_in(const std::shared_ptr<Owner>& owner, std::vector<T>& values, std::size_t rows) {
  const py::capsule kept(new std::shared_ptr<Owner>(owner),
                         [](void* pointer) { delete static_cast<std::shared_ptr<Owner>*>(pointer); });
  const auto height = static_cast<py::ssize_t>(rows);
  const auto size = static_cast<py::ssize_t>(values.size());
  return py::array_t<T>({height, rows == 0 ? 0 : size / height}, values.data(), kept);
}

py::dict columns_of(const std::shared_ptr<Batch>& batch, RowContent content, bool has_padding) {
  py::dict columns;
  const auto add = [&](const char* name, auto& values) { columns[name] = array_in(batch, values, batch->rows); };
  add(kInputIds, batch->input_ids);
  if (content == RowContent::kTokens) {
    if (has_padding) add(kAttentionMask, batch->input_mask);
    return columns;
  }
  add(kInputMask, batch->input_mask);
  add(kSegmentIds, batch->segment_ids);
  add(kMaskedLmPositions, batch->masked_lm_positions);
  add(kMaskedLmIds, batch->masked_lm_ids);
  columns[kNextSentenceLabels] = array_in(batch, batch->next_sentence_labels, batch->rows).attr("reshape")(-1);
  return columns;
}

// A shard for one thread at a time, as the library's.
class PythonReader {
 public:
  explicit PythonReader(const py::object& path)
      : path_(path_of(path, "path")), content_(row_content(path_)), reader_(path_, content_) {
    if (content_ == RowContent::kInstances) return;
    for (const std::string& name : Hdf5InputFile(path_).dataset_names()) has_padding_ |= name == kAttentionMask;
  }
  py::dict read(std::size_t first, std::size_t count) {
    std::shared_ptr<Batch> batch;
    {
      const py::gil_scoped_release released;
      const std::lock_guard lock(mutex_);
      // The memory of the rows before, unless Python still has them.
      if (batch_.use_count() != 1) batch_ = std::make_shared<Batch>();
      reader_.read(first, count, *batch_);
      batch = batch_;
    }
    return columns_of(batch, content_, has_padding_);
  }
  py::tuple shape() const {
    const ShardShape& shape = reader_.shape();
    return py::make_tuple(shape.rows, reader_.chunk_rows(), shape.seq_len, shape.max_predictions);
  }

 private:
  fs::path path_;
  RowContent content_;
  bool has_padding_ = false;
  ShardReader reader_;
  std::mutex mutex_;
  std::shared_ptr<Batch> batch_;
};

// A page with some of the rows.
std::string page_of(const InspectedRows& rows, const std::string& shown) {
  const std::string name = rows.path().filename().string();
  const HtmlFrame frame = html_frame(name);
  const std::size_t length = rows.shape().seq_len;
  const std::string facts = counted(rows.shape().rows, "row") + (length == 0 ? "" : " of " + counted(length, "token")) +
                            ", " + counted(rows.bytes(), "byte");
  return frame.head + element("h1", "", escaped(name)) + element("p", "soft", escaped(facts)) + row_key_html() + shown +
         frame.end;
}

// The row that was read.
py::dict columns_of(const InspectedRows& rows) {
  if (rows.format() == SetFormat::kHdf5) return columns_of(std::make_shared<Batch>(rows.batch()), rows.content(), true);
  const auto ids = std::make_shared<std::vector<std::int64_t>>(rows.ids());
  py::dict columns;
  columns[kInputIds] = array_in(ids, *ids, 1);
  return columns;
}

struct InspectRequest {
  fs::path path;
  fs::path vocab;
  std::size_t first;
  std::size_t last;
  bool makes_page;

  explicit InspectRequest(Keywords& keywords)
      : path(keywords.path("path")),
        vocab(keywords.path("vocab", "")),
        first(keywords.number("first")),
        last(keywords.number("last")),
        makes_page(keywords.flag("html", "")) {}

  py::object run(const Keywords& /*keywords*/, ServedCall& call) {
    InspectedRows rows(path, call);
    rows.find_words(vocab, call);
    const ShardShape& shape = rows.shape();
    py::list shown;
    std::string page;
    for (std::size_t row = first; row < std::min(last, shape.rows); ++row) {
      rows.read(row);
      const auto pieces = rows.has_words() ? std::optional(rows.pieces()) : std::nullopt;
      shown.append(to_object(Inspected{row, columns_of(rows), pieces}));
      if (makes_page) page += row_html(rows.shown(), "row " + std::to_string(row));
    }
    const py::object html = makes_page ? py::object(text_object(page_of(rows, page))) : py::none();
    return record("Inspection", path_object(rows.path()), shape.rows, shape.seq_len, shape.max_predictions,
                  rows.bytes(), shown, html);
  }
};

struct ExplainRequest {
  fs::path path;
  py::object numbers;
  fs::path vocab;
  TextPlace place;

  explicit ExplainRequest(Keywords& keywords)
      : path(keywords.path("path")),
        numbers(keywords.object("rows")),
        vocab(keywords.path("vocab", "if none is found by the manifest")),
        place{.text = keywords.path("text", "the text shards, if they are not in the work folder"),
              .work = keywords.path("work", "the work folder of the run, if it is not found")} {}

  py::object run(const Keywords& /*keywords*/, ServedCall& call) {
    InspectedRows rows(path, call);
    const auto wanted = py::cast<std::vector<std::size_t>>(numbers);
    for (const std::size_t row : wanted) {
      if (row < rows.shape().rows) continue;
      throw py::index_error(rows.path().string() + " has " + counted(rows.shape().rows, "row") + ", counted from 0");
    }
    const bool are_sequences = rows.content() == RowContent::kTokens;
    if (!are_sequences) require_explainable(rows.path());
    rows.find_words(vocab, call);
    if (are_sequences) return to_object(call.run([&] { return explain_sequences(rows, wanted, call); }));
    if (rows.vocab() == nullptr) {
      throw FormatError("its vocabulary is not found, without which its rows can't be made again", rows.path(),
                        "give it with vocab=");
    }
    return to_object(call.run([&] { return explain_instances(rows, wanted, call); }));
  }

 private:
  std::vector<ExplainedIn> explain_instances(const InspectedRows& rows, const std::vector<std::size_t>& wanted,
                                             ServedCall& call) const {
    ShardExplainer explainer(rows.path(), *rows.vocab(), place, call);
    std::vector<ExplainedIn> all;
    for (const std::size_t row : wanted) {
      if (call.cancelled()) throw Cancelled();
      all.push_back({explainer.explain(row), rows.path(), explainer.text_shard(), rows.vocab()});
    }
    return all;
  }

  std::vector<SequenceIn> explain_sequences(InspectedRows& rows, const std::vector<std::size_t>& wanted,
                                            ServedCall& call) const {
    SequenceExplainer explainer(rows.path(), place, call);
    std::vector<SequenceIn> all;
    for (const std::size_t row : wanted) {
      if (call.cancelled()) throw Cancelled();
      rows.read(row);
      all.push_back({explainer.explain(row), rows.path(), row, rows.pieces()});
    }
    return all;
  }
};

}  // namespace

void bind_rows(py::module_& module) {
  py::class_<PythonReader>(module, "ShardReader")
      .def(py::init<const py::object&>())
      .def("read", &PythonReader::read)
      .def_property_readonly("shape", &PythonReader::shape);
  define<InspectRequest>(module, "inspect");
  define<ExplainRequest>(module, "explain");
}

}  // namespace bertprep::python
