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
#include "io/folder.h"
#include "pipeline/explain/explain.h"
#include "pipeline/explain/shard_files.h"
#include "quality/doctor/set_tokenizer.h"
#include "quality/sequences/any_doctor.h"
#include "quality/sequences/stored_sequences.h"
#include "records.h"
#include "report/html.h"
#include "report/shown_row.h"
#include "shard/hdf5/hdf5_input.h"
#include "shard/recorded_files.h"
#include "shard/shard_names.h"

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

std::optional<Vocab> vocab_for(const fs::path& shard, const fs::path& vocab, Progress& progress) {
  return vocab.empty() ? vocab_of_shard(shard, progress) : load_vocab(vocab);
}

// Rows [first, last) and a page with them, if it is asked for.
struct Inspecting {
  std::size_t first;
  std::size_t last;
  bool makes_page;
  py::list shown{};
  std::string page{};

  void add(const Inspected& inspected, const ShownRow& given) {
    shown.append(to_object(inspected));
    if (makes_page) page += row_html(given, "row " + std::to_string(inspected.row));
  }
  py::object result(const fs::path& path, const ShardShape& shape, std::uint64_t bytes) {
    const std::string name = path.filename().string();
    const HtmlFrame frame = html_frame(name);
    const std::string facts = counted(shape.rows, "row") +
                              (shape.seq_len == 0 ? "" : " of " + counted(shape.seq_len, "token")) + ", " +
                              counted(bytes, "byte");
    page = frame.head + element("h1", "", escaped(name)) + element("p", "soft", escaped(facts)) + row_key_html() +
           page + frame.end;
    return record("Inspection", path_object(path), shape.rows, shape.seq_len, shape.max_predictions, bytes, shown,
                  makes_page ? py::object(text_object(page)) : py::none());
  }
};

// A set of token sequences, whose rows are ids alone.
py::object inspect_set(const fs::path& path, SetFormat format, const fs::path& vocab, Inspecting& inspecting) {
  const auto rows = StoredSequences::open(path, format, Progress());
  const std::optional<TextEncoder> encoder = vocab.empty()
                                                 ? encoder_beside(format == SetFormat::kMds ? path : folder_of(path))
                                                 : std::optional(TextEncoder::open(vocab, {}));
  const std::optional<TokenSpelling> spelling = encoder ? TokenSpelling::of(*encoder) : std::nullopt;
  const Vocab* words = encoder ? encoder->wordpiece() : nullptr;
  for (std::size_t row = inspecting.first; row < std::min<std::size_t>(inspecting.last, rows->rows()); ++row) {
    const auto ids = std::make_shared<std::vector<std::int64_t>>();
    rows->read(row, *ids);
    py::dict columns;
    columns[kInputIds] = array_in(ids, *ids, 1);
    Inspected inspected{row, columns, {}};
    if (encoder) inspected.pieces = pieces_of(*ids, words);
    for (std::size_t i = 0; spelling && i < ids->size(); ++i) inspected.pieces->at(i) = spelling->bytes((*ids)[i]);
    inspecting.add(inspected,
                   spelling ? shown_row({.ids = *ids}, *spelling) : shown_row({.ids = *ids}, words, std::nullopt));
  }
  return inspecting.result(path, {rows->rows(), 0, 0}, rows->bytes());
}

// The one for training.
const fs::path& first_set(const std::vector<fs::path>& sets) {
  const auto is_training = [](const fs::path& set) {
    return set.filename().string().find("train") != std::string::npos;
  };
  const auto found = std::find_if(sets.begin(), sets.end(), is_training);
  return found == sets.end() ? sets.front() : *found;
}

struct InspectRequest {
  fs::path path;
  fs::path vocab;
  Inspecting inspecting;

  explicit InspectRequest(Keywords& keywords)
      : path(keywords.path("path")),
        vocab(keywords.path("vocab", "")),
        inspecting{keywords.number("first"), keywords.number("last"), keywords.flag("html", "")} {}

  py::object run(const Keywords& /*keywords*/, ServedCall& call) {
    if (!fs::is_directory(path) || shard_files_if_any(path).empty()) {
      const SequenceSets sets = find_sequence_sets(path);
      if (!sets.mds.empty()) return inspect_set(first_set(sets.mds), SetFormat::kMds, vocab, inspecting);
      if (!sets.is_empty()) return inspect_set(first_set(sets.megatron), SetFormat::kMegatron, vocab, inspecting);
    }
    const fs::path file = first_shard(shard_files(path)).path;
    RecordedFiles(folder_of(file)).require_unchanged(file, call);
    const RowContent content = row_content(file);
    ShardReader reader(file, content);
    const std::optional<Vocab> words = vocab_for(file, vocab, call);
    for (std::size_t row = inspecting.first; row < std::min(inspecting.last, reader.shape().rows); ++row) {
      const auto batch = std::make_shared<Batch>();
      reader.read(row, 1, *batch);
      Inspected inspected{row, columns_of(batch, content, true), {}};
      if (words) inspected.pieces = pieces_of(batch->input_ids, &*words);
      inspecting.add(inspected, shown_row(*batch, words ? &*words : nullptr));
    }
    return inspecting.result(file, reader.shape(), fs::file_size(file));
  }
};

struct ExplainRequest {
  fs::path path;
  py::object rows;
  fs::path vocab;
  TextPlace place;

  explicit ExplainRequest(Keywords& keywords)
      : path(keywords.path("path")),
        rows(keywords.object("rows")),
        vocab(keywords.path("vocab", "if none is found by the manifest")),
        place{.text = keywords.path("text", "the text shards, if they are not in the work folder"),
              .work = keywords.path("work", "the work folder of the run, if it is not found")} {}

  py::object run(const Keywords& /*keywords*/, ServedCall& call) {
    const fs::path shard = first_shard(shard_files(path)).path;
    const std::size_t most = ShardReader(shard).shape().rows;
    const auto numbers = py::cast<std::vector<std::size_t>>(rows);
    for (const std::size_t row : numbers) {
      if (row >= most) throw py::index_error(shard.string() + " has " + std::to_string(most) + " rows, counted from 0");
    }
    require_explainable(shard);
    const std::optional<Vocab> words = vocab_for(shard, vocab, call);
    if (!words) {
      throw FormatError("its vocabulary is not found, without which its rows can't be made again", shard,
                        "give it with vocab=");
    }
    return to_object(call.run([&] {
      ShardExplainer explainer(shard, *words, place, call);
      std::vector<ExplainedIn> all;
      for (const std::size_t row : numbers) {
        if (call.cancelled()) throw Cancelled();
        all.push_back({explainer.explain(row), shard, explainer.text_shard(), &*words});
      }
      return all;
    }));
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
