// Rows of shards: ShardReader, inspect, explain, order.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <mutex>
#include <optional>

#include "bertprep/base/error.h"
#include "bertprep/shard/row_stream.h"
#include "bindings.h"
#include "io/folder.h"
#include "pipeline/explain/explain.h"
#include "pipeline/explain/shard_files.h"
#include "report/shown_row.h"
#include "served_call.h"
#include "shard/hdf5/hdf5_input.h"
#include "shard/pool_reading.h"
#include "shard/shard_names.h"

namespace bertprep::python {
namespace {

namespace fs = std::filesystem;

template <class T>
py::array array_of(std::vector<T>&& values, std::size_t rows) {
  auto* kept = new std::vector<T>(std::move(values));
  const py::capsule owner(kept, [](void* pointer) { delete static_cast<std::vector<T>*>(pointer); });
  const auto height = static_cast<py::ssize_t>(rows);
  const auto size = static_cast<py::ssize_t>(kept->size());
  return py::array_t<T>({height, rows == 0 ? 0 : size / height}, kept->data(), owner);
}

py::dict columns_of(Batch&& batch, RowContent content, bool has_padding) {
  py::dict columns;
  columns[kInputIds] = array_of(std::move(batch.input_ids), batch.rows);
  if (content == RowContent::kTokens) {
    if (has_padding) columns[kAttentionMask] = array_of(std::move(batch.input_mask), batch.rows);
    return columns;
  }
  columns[kInputMask] = array_of(std::move(batch.input_mask), batch.rows);
  columns[kSegmentIds] = array_of(std::move(batch.segment_ids), batch.rows);
  columns[kMaskedLmPositions] = array_of(std::move(batch.masked_lm_positions), batch.rows);
  columns[kMaskedLmIds] = array_of(std::move(batch.masked_lm_ids), batch.rows);
  columns[kNextSentenceLabels] = array_of(std::move(batch.next_sentence_labels), batch.rows).reshape({-1});
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
    Batch batch;
    {
      const py::gil_scoped_release released;
      const std::lock_guard lock(mutex_);
      reader_.read(first, count, batch);
    }
    return columns_of(std::move(batch), content_, has_padding_);
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

py::object inspect(const py::object& path, std::size_t first, std::size_t last, const py::object& vocab) {
  Progress silent;
  const fs::path file = shard_at(path);
  const RowContent content = row_content(file);
  ShardReader reader(file, content);
  const ShardShape shape = reader.shape();
  const std::optional<Vocab> words = vocab_for(file, vocab, silent);
  py::list rows;
  for (std::size_t row = first; row < std::min(last, shape.rows); ++row) {
    Batch batch;
    reader.read(row, 1, batch);
    const py::object pieces = words ? py::object(pieces_of(batch.input_ids, &*words)) : py::none();
    rows.append(record("InspectedRow", row, columns_of(std::move(batch), content, true), pieces));
  }
  return record("Inspection", path_object(file), shape.rows, shape.seq_len, shape.max_predictions, fs::file_size(file),
                rows);
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

py::list explain(const py::object& path, const std::vector<std::size_t>& rows, const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  const py::object vocab = keywords.object("vocab");
  const py::object work = keywords.object("work");
  const py::object text = keywords.object("text");
  keywords.require_all_known("explain");
  TextPlace place;
  if (!work.is_none()) place.work = path_of(work, "work");
  if (!text.is_none()) place.text = path_of(text, "text");
  const fs::path shard = shard_at(path);
  const std::size_t most = ShardReader(shard).shape().rows;
  for (const std::size_t row : rows) {
    if (row >= most) throw py::index_error(shard.string() + " has " + std::to_string(most) + " rows, counted from 0");
  }
  require_explainable(shard);
  const std::optional<Vocab> words = vocab_for(shard, vocab, call);
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
  std::vector<std::int64_t> shards;
  std::vector<std::int64_t> numbers;
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
  return record("RowsInOrder", list_object(set.shards, name), array_of(std::move(shards), rows).reshape({-1}),
                array_of(std::move(numbers), rows).reshape({-1}), position, order.rows_per_epoch());
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
}

}  // namespace bertprep::python
