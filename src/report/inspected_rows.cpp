#include "report/inspected_rows.h"

#include "base/number_text.h"
#include "io/folder.h"
#include "pipeline/explain/shard_files.h"
#include "quality/doctor/set_tokenizer.h"
#include "quality/sequences/any_doctor.h"
#include "shard/shard_names.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

void note_others(const fs::path& path, std::size_t count, const char* what, Progress& progress) {
  if (!fs::is_directory(path) || count < 2) return;
  progress.note("showing the first of " + counted(count, what) + " in " + path.string() + "; name another to see it");
}

// The one for training.
const fs::path& first_set(const std::vector<fs::path>& sets) {
  for (const fs::path& set : sets) {
    if (set.filename().string().find("train") != std::string::npos) return set;
  }
  return sets.front();
}

}  // namespace

InspectedRows::InspectedRows(const fs::path& path, Progress& progress) {
  SequenceSets sets;
  if (!fs::is_directory(path) || shard_files_if_any(path).empty()) {
    sets = find_sequence_sets(path.has_filename() ? path : path.parent_path());
  }
  if (sets.is_empty()) {
    open_shard(path, progress);
    return;
  }
  note_others(path, sets.mds.size() + sets.megatron.size(), "set", progress);
  format_ = sets.mds.empty() ? SetFormat::kMegatron : SetFormat::kMds;
  path_ = first_set(sets.mds.empty() ? sets.megatron : sets.mds);
  sequences_ = StoredSequences::open(path_, format_, progress);
  shape_.rows = sequences_->rows();
}

void InspectedRows::open_shard(const fs::path& path, Progress& progress) {
  const std::vector<ShardFile> files = shard_files(path);
  path_ = first_shard(files).path;
  note_others(path, files.size(), "shard", progress);
  RecordedFiles(folder_of(path_)).require_unchanged(path_, progress);
  content_ = row_content(path_);
  reader_.emplace(path_, content_);
  shape_ = reader_->shape();
}

std::uint64_t InspectedRows::bytes() const {
  return sequences_ ? sequences_->bytes() : fs::file_size(path_);
}

void InspectedRows::find_words(const std::string& vocab, Progress& progress) {
  if (content_ == RowContent::kInstances) {
    vocab_ = vocab.empty() ? vocab_of_shard(path_, progress) : load_vocab(vocab);
    return;
  }
  const std::optional<TextEncoder> encoder = vocab.empty()
                                                 ? encoder_beside(format_ == SetFormat::kMds ? path_ : folder_of(path_))
                                                 : std::optional(TextEncoder::open(vocab, {}));
  if (encoder) {
    spelling_ = TokenSpelling::of(*encoder);
    if (encoder->wordpiece() != nullptr) vocab_.emplace(*encoder->wordpiece());
  } else if (format_ == SetFormat::kHdf5) {
    vocab_ = vocab_of_shard(path_, progress);
  } else {
    progress.note("no folder tokenizer/ beside the set: give `vocab` to see its text");
  }
}

void InspectedRows::read(std::size_t row) {
  if (sequences_) return sequences_->read(row, ids_);
  reader_->read(row, 1, batch_);
  ids_.clear();
  for (std::size_t i = 0; content_ == RowContent::kTokens && i < batch_.input_ids.size(); ++i) {
    if (batch_.input_mask[i] != 0) ids_.push_back(batch_.input_ids[i]);
  }
}

ShownRow InspectedRows::shown() const {
  if (content_ == RowContent::kInstances) return shown_row(batch_, vocab());
  ShownRow shown = spelling_ ? shown_row({.ids = ids_}, *spelling_) : shown_row({.ids = ids_}, vocab(), std::nullopt);
  if (reader_) shown.padding = shape_.seq_len - ids_.size();
  return shown;
}

std::vector<std::string> InspectedRows::pieces() const {
  std::vector<std::string> pieces;
  for (const std::int64_t id : ids_) pieces.push_back(spelling_ ? spelling_->bytes(id) : piece_text(id, vocab()));
  if (content_ == RowContent::kTokens) return pieces;
  for (const std::int32_t id : batch_.input_ids) pieces.push_back(piece_text(id, vocab()));
  return pieces;
}

}  // namespace bertprep
