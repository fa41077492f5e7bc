#include "inspected_rows.h"

#include <optional>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "bertprep/shard/shard_reader.h"
#include "bertprep/token/text_encoder.h"
#include "console/json_event.h"
#include "io/folder.h"
#include "options/amounts.h"
#include "pipeline/explain/shard_files.h"
#include "quality/doctor/set_tokenizer.h"
#include "quality/sequences/any_doctor.h"
#include "quality/sequences/stored_sequences.h"
#include "row_text.h"
#include "shard/recorded_files.h"
#include "token/token_spelling.h"

namespace bertprep::cli {
namespace {

namespace fs = std::filesystem;

void print_shard_event(const fs::path& file, const ShardShape& shape) {
  JsonEvent("shard")
      .text("file", file.string())
      .number("rows", shape.rows)
      .number("seq_len", shape.seq_len)
      .number("max_predictions", shape.max_predictions)
      .number("bytes", fs::file_size(file))
      .print();
}

class InstanceRows final : public InspectedRows {
 public:
  explicit InstanceRows(const fs::path& file) : InspectedRows(file), reader_(file) {}

  std::size_t rows() const override { return reader_.shape().rows; }
  std::string facts() const override {
    const ShardShape& shape = reader_.shape();
    const std::string masks = shape.max_predictions == 0
                                  ? " without masks, "
                                  : " with up to " + std::to_string(shape.max_predictions) + " predictions, ";
    return counted(shape.rows, "row") + " of " + std::to_string(shape.seq_len) + " tokens" + masks +
           bytes_text(fs::file_size(path()));
  }
  void print_event() const override { print_shard_event(path(), reader_.shape()); }

  void find_words(const std::string& vocab, Console& console) override {
    vocab_ = vocab.empty() ? vocab_of_shard(path(), console) : load_vocab(vocab);
  }
  ShownRow row(std::size_t row) override {
    reader_.read(row, 1, batch_);
    return shown_row(batch_, vocab_ ? &*vocab_ : nullptr);
  }
  void print_row_event(std::size_t row) override {
    reader_.read(row, 1, batch_);
    cli::print_row_event(row, batch_, reader_.shape(), vocab_ ? &*vocab_ : nullptr);
  }

 private:
  ShardReader reader_;
  Batch batch_;
  std::optional<Vocab> vocab_;
};

class TokenRows final : public InspectedRows {
 public:
  TokenRows(const fs::path& path, SetFormat format, const Progress& progress)
      : InspectedRows(path), format_(format), rows_(StoredSequences::open(path, format, progress)) {
    if (format == SetFormat::kHdf5) shape_ = ShardReader(path, RowContent::kTokens).shape();
  }

  std::size_t rows() const override { return rows_->rows(); }
  std::string facts() const override {
    const std::string bytes = ", " + bytes_text(rows_->bytes());
    switch (format_) {
      case SetFormat::kMds:
        return "MDS, " + counted(rows_->rows(), "row") + bytes;
      case SetFormat::kMegatron:
        return "Megatron, " + counted(rows_->rows(), "sequence") + bytes;
      case SetFormat::kHdf5:
        break;
    }
    return counted(rows_->rows(), "row") + " of " + std::to_string(shape_.seq_len) + " tokens without masks" + bytes;
  }
  void print_event() const override {
    if (format_ == SetFormat::kHdf5) return print_shard_event(path(), shape_);
    JsonEvent("set")
        .text("path", path().string())
        .text("format", format_ == SetFormat::kMds ? "mds" : "megatron")
        .number("rows", rows_->rows())
        .number("bytes", rows_->bytes())
        .print();
  }

  void find_words(const std::string& vocab, Console& console) override {
    const std::optional<TextEncoder> encoder =
        vocab.empty() ? encoder_beside(format_ == SetFormat::kMds ? path() : folder_of(path()))
                      : std::optional(TextEncoder::open(vocab, {}));
    if (encoder) {
      spelling_ = TokenSpelling::of(*encoder);
      if (encoder->wordpiece() != nullptr) vocab_.emplace(*encoder->wordpiece());
    } else if (format_ == SetFormat::kHdf5) {
      vocab_ = vocab_of_shard(path(), console);
    } else {
      console.note("no folder tokenizer/ beside the set: give --vocab to see its text");
    }
  }
  ShownRow row(std::size_t row) override {
    rows_->read(row, ids_);
    ShownRow shown = spelling_ ? shown_row({.ids = ids_}, *spelling_) : shown_row({.ids = ids_}, vocab(), std::nullopt);
    if (format_ == SetFormat::kHdf5) shown.padding = shape_.seq_len - ids_.size();
    return shown;
  }
  void print_row_event(std::size_t row) override {
    rows_->read(row, ids_);
    std::string numbers;
    for (const std::int64_t id : ids_) numbers += (numbers.empty() ? "" : ",") + std::to_string(id);
    JsonEvent event("row");
    event.number("row", row).json("ids", "[" + numbers + "]");
    if (spelling_) {
      std::string text;
      for (const std::int64_t id : ids_) text += spelling_->bytes(id);
      event.text("text", text);
    } else if (vocab_) {
      std::vector<std::string> pieces;
      for (const std::int64_t id : ids_) pieces.push_back(piece_text(id, vocab()));
      event.texts("pieces", pieces);
    }
    event.print();
  }

 private:
  const Vocab* vocab() const { return vocab_ ? &*vocab_ : nullptr; }

  SetFormat format_;
  std::unique_ptr<StoredSequences> rows_;
  ShardShape shape_;  // of HDF5
  std::vector<std::int64_t> ids_;
  std::optional<TokenSpelling> spelling_;
  std::optional<Vocab> vocab_;
};

void note_others(const fs::path& path, std::size_t count, const char* what, Console& console) {
  if (!fs::is_directory(path) || count < 2) return;
  console.note("showing the first of " + counted(count, what) + " in " + path.string() + "; name another to see it");
}

// The one for training.
const fs::path& first_set(const std::vector<fs::path>& sets) {
  for (const fs::path& set : sets) {
    if (set.filename().string().find("train") != std::string::npos) return set;
  }
  return sets.front();
}

}  // namespace

std::unique_ptr<InspectedRows> InspectedRows::open(const fs::path& path, Console& console) {
  const bool is_folder = fs::is_directory(path);
  if (!is_folder || shard_files_if_any(path).empty()) {
    const fs::path named = path.has_filename() ? path : path.parent_path();
    const SequenceSets sets = find_sequence_sets(named);
    note_others(path, sets.mds.size() + sets.megatron.size(), "set", console);
    if (!sets.mds.empty()) return std::make_unique<TokenRows>(first_set(sets.mds), SetFormat::kMds, console);
    if (!sets.is_empty()) return std::make_unique<TokenRows>(first_set(sets.megatron), SetFormat::kMegatron, console);
  }
  const std::vector<ShardFile> files = shard_files(path);
  const fs::path& file = first_shard(files).path;
  note_others(path, files.size(), "shard", console);
  RecordedFiles(folder_of(file)).require_unchanged(file, console);
  if (row_content(file) == RowContent::kTokens) return std::make_unique<TokenRows>(file, SetFormat::kHdf5, console);
  return std::make_unique<InstanceRows>(file);
}

}  // namespace bertprep::cli
