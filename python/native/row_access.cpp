// Rows of shards: ShardReader, inspect, explain, order.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "bertprep/shard/row_stream.h"
#include "bindings.h"
#include "io/folder.h"
#include "pipeline/explain/explain.h"
#include "pipeline/explain/shard_files.h"
#include "quality/doctor/set_tokenizer.h"
#include "quality/sequences/any_doctor.h"
#include "quality/sequences/stored_sequences.h"
#include "report/html.h"
#include "report/shown_row.h"
#include "served_call.h"
#include "shard/hdf5/hdf5_input.h"
#include "shard/pool_reading.h"
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

std::optional<Vocab> vocab_for(const fs::path& shard, const py::object& vocab, Progress& progress) {
  return vocab.is_none() ? vocab_of_shard(shard, progress) : load_vocab(path_of(vocab, "vocab"));
}

fs::path shard_at(const py::object& path) {
  return first_shard(shard_files(path_of(path, "path"))).path;
}

py::list pieces_of(const std::vector<std::int32_t>& ids, const Vocab* vocab) {
  return list_object(ids, [&](std::int32_t id) { return text_object(piece_text(id, vocab)); });
}

// Rows [first, last) and a page with them, if it is asked for.
struct Inspecting {
  std::size_t first;
  std::size_t last;
  bool makes_page;
  py::list shown{};
  std::string page{};

  void add(std::size_t row, const py::dict& columns, const py::object& pieces, const ShownRow& given) {
    shown.append(record("InspectedRow", row, columns, pieces));
    if (makes_page) page += row_html(given, "row " + std::to_string(row));
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
py::object inspect_set(const fs::path& path, SetFormat format, const py::object& vocab, Inspecting& inspecting) {
  const auto rows = StoredSequences::open(path, format, Progress());
  const std::optional<TextEncoder> encoder = vocab.is_none()
                                                 ? encoder_beside(format == SetFormat::kMds ? path : folder_of(path))
                                                 : std::optional(TextEncoder::open(path_of(vocab, "vocab"), {}));
  const std::optional<TokenSpelling> spelling = encoder ? TokenSpelling::of(*encoder) : std::nullopt;
  const Vocab* words = encoder ? encoder->wordpiece() : nullptr;
  for (std::size_t row = inspecting.first; row < std::min<std::size_t>(inspecting.last, rows->rows()); ++row) {
    const auto ids = std::make_shared<std::vector<std::int64_t>>();
    rows->read(row, *ids);
    py::dict columns;
    columns[kInputIds] = array_in(ids, *ids, 1);
    const auto piece = [&](std::int64_t id) {
      return text_object(spelling ? spelling->bytes(id) : piece_text(id, words));
    };
    inspecting.add(row, columns, encoder ? py::object(list_object(*ids, piece)) : py::none(),
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

py::object inspect(const py::object& path, std::size_t first, std::size_t last, const py::object& vocab, bool html) {
  Progress silent;
  Inspecting inspecting{first, last, html};
  const fs::path given = path_of(path, "path");
  if (!fs::is_directory(given) || shard_files_if_any(given).empty()) {
    const SequenceSets sets = find_sequence_sets(given);
    if (!sets.mds.empty()) return inspect_set(first_set(sets.mds), SetFormat::kMds, vocab, inspecting);
    if (!sets.is_empty()) return inspect_set(first_set(sets.megatron), SetFormat::kMegatron, vocab, inspecting);
  }
  const fs::path file = first_shard(shard_files(given)).path;
  RecordedFiles(folder_of(file)).require_unchanged(file, silent);
  const RowContent content = row_content(file);
  ShardReader reader(file, content);
  const std::optional<Vocab> words = vocab_for(file, vocab, silent);
  for (std::size_t row = first; row < std::min(last, reader.shape().rows); ++row) {
    const auto batch = std::make_shared<Batch>();
    reader.read(row, 1, *batch);
    inspecting.add(row, columns_of(batch, content, true),
                   words ? py::object(pieces_of(batch->input_ids, &*words)) : py::none(),
                   shown_row(*batch, words ? &*words : nullptr));
  }
  return inspecting.result(file, reader.shape(), fs::file_size(file));
}

py::object segment_object(const ExplainedSegment& segment) {
  const ArticleOrigin& article = segment.article;
  const auto sentence = [](const ExplainedSentence& given) {
    return record("ExplainedSentence", text_object(given.text), given.line, given.tokens, given.first_token,
                  given.last_token);
  };
  const py::object origin =
      article.origin.empty() ? py::none() : py::module_::import("json").attr("loads")(text_object(article.origin));
  return record("ExplainedSegment", path_object(article.formatted), article.number, origin,
                text_object(article.why_not), segment.first_line, segment.last_line,
                list_object(segment.sentences, sentence), segment.cut_tokens);
}

py::object explained_object(const ExplainedRow& row, const fs::path& shard, const fs::path& text, const Vocab& vocab) {
  static constexpr const char* kNext[] = {"following", "other article", "same article"};
  static constexpr const char* kAs[] = {"mask", "same", "random"};
  const auto mask = [&](const ExplainedMask& given) {
    return record("ExplainedMask", given.position, text_object(piece_text(given.original, &vocab)),
                  text_object(piece_text(given.shown, &vocab)), kAs[static_cast<std::size_t>(given.as)]);
  };
  return record("ExplainedRow", path_object(shard), row.row, path_object(text), pieces_of(row.stored.input_ids, &vocab),
                kNext[static_cast<std::size_t>(row.next)], row.pass, row.passes, row.aimed_tokens,
                segment_object(row.segments[0]), segment_object(row.segments[1]), list_object(row.masks, mask));
}

struct ExplainRequest {
  py::object vocab;
  TextPlace place{};
  explicit ExplainRequest(Keywords& keywords) : vocab(keywords.object("vocab", "if none is found by the manifest")) {
    const py::object work = keywords.object("work", "the work folder of the run, if it is not found");
    const py::object text = keywords.object("text", "the text shards, if they are not in the work folder");
    if (!work.is_none()) place.work = path_of(work, "work");
    if (!text.is_none()) place.text = path_of(text, "text");
  }
};

py::list explain(const py::object& path, const std::vector<std::size_t>& rows, const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  const ExplainRequest request(keywords);
  const TextPlace& place = request.place;
  keywords.require_all_known("explain");
  const fs::path shard = shard_at(path);
  const std::size_t most = ShardReader(shard).shape().rows;
  for (const std::size_t row : rows) {
    if (row >= most) throw py::index_error(shard.string() + " has " + std::to_string(most) + " rows, counted from 0");
  }
  require_explainable(shard);
  const std::optional<Vocab> words = vocab_for(shard, request.vocab, call);
  if (!words) {
    throw FormatError("its vocabulary is not found, without which its rows can't be made again", shard,
                      "give it with vocab=");
  }
  fs::path text_shard;
  const std::vector<ExplainedRow> explained = call.run([&] {
    ShardExplainer explainer(shard, *words, place, call);
    text_shard = explainer.text_shard();
    std::vector<ExplainedRow> all;
    for (const std::size_t row : rows) {
      if (call.cancelled()) throw Cancelled();
      all.push_back(explainer.explain(row));
    }
    return all;
  });
  return list_object(explained,
                     [&](const ExplainedRow& row) { return explained_object(row, shard, text_shard, *words); });
}

py::object order(const py::object& folder, std::uint64_t seed, std::uint64_t position, std::uint64_t rows,
                 const std::string& shuffle, const std::string& split) {
  const fs::path path = path_of(folder, "folder");
  RowContent content = RowContent::kInstances;
  for (const auto& entry : list_folder(path)) {
    if (!is_shard_name(entry.path(), split) || !entry.is_regular_file()) continue;
    content = row_content(entry.path());
    break;
  }
  const ShardSet set = list_shards(path, split, true, {}, content);
  if (shuffle != "v2" && shuffle != "v1" && shuffle != "none") {
    throw ConfigError("order is '" + shuffle + "', it must be one of v2, v1, none");
  }
  const RowOrder order(set, seed,
                       shuffle == "v1"   ? RowShuffle::kV1
                       : shuffle == "v2" ? RowShuffle::kV2
                                         : RowShuffle::kNone);
  struct Places {
    std::vector<std::int64_t> shards;
    std::vector<std::int64_t> numbers;
  };
  const auto found = std::make_shared<Places>();
  auto& [shards, numbers] = *found;
  for (std::uint64_t at = position; numbers.size() < rows;) {
    const std::uint64_t within = at % order.rows_per_epoch();
    const EpochOrder epoch = order.epoch(at / order.rows_per_epoch());
    const std::size_t pool = epoch.pool_of(within);
    const std::vector<RowPlace> places = places_of(epoch.pool(pool));
    for (std::uint64_t i = within - epoch.begin_of(pool); i < places.size() && numbers.size() < rows; ++i, ++at) {
      shards.push_back(places[i].shard);
      numbers.push_back(static_cast<std::int64_t>(places[i].row));
    }
  }
  const auto name = [](const ShardEntry& shard) { return path_object(shard.path.filename()); };
  return record("RowsInOrder", list_object(set.shards, name), array_in(found, shards, rows).attr("reshape")(-1),
                array_in(found, numbers, rows).attr("reshape")(-1), position, order.rows_per_epoch());
}

}  // namespace

void bind_rows(py::module_& module) {
  py::class_<PythonReader>(module, "ShardReader")
      .def(py::init<const py::object&>())
      .def("read", &PythonReader::read)
      .def_property_readonly("shape", &PythonReader::shape);
  module.def("inspect", inspect);
  module.def("explain", explain);
  module.def("order", order);
  define_options(module, "explain", [](Keywords& keywords) { ExplainRequest{keywords}; });
}

}  // namespace bertprep::python
