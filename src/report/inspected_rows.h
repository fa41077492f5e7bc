// InspectedRows: what `inspect` shows, of whichever format: rows for BERT, or token sequences.
#pragma once

#include "bertprep/shard/shard_reader.h"
#include "quality/sequences/stored_sequences.h"
#include "report/shown_row.h"

namespace bertprep {

// For one thread at a time.
class InspectedRows {
 public:
  // `path`: a shard or a set of token sequences, or a folder above some, of which the first is opened, with a note.
  // Throws IoError; FormatError if there is none, or it has changed since it was written; Cancelled.
  InspectedRows(const std::filesystem::path& path, Progress& progress);

  const std::filesystem::path& path() const { return path_; }
  SetFormat format() const { return format_; }
  RowContent content() const { return content_; }
  const ShardShape& shape() const { return shape_; }  // without HDF5, rows have no common length: 0
  std::uint64_t bytes() const;

  // Shows pieces or text from now on: of this vocabulary, else of the one beside the rows, if there is one.
  void find_words(const std::string& vocab, Progress& progress);
  // That of pieces, if it was found.
  const Vocab* vocab() const { return vocab_ ? &*vocab_ : nullptr; }
  // Whether pieces are bytes of text.
  bool are_text() const { return spelling_.has_value(); }
  bool has_words() const { return vocab_ || spelling_; }

  // Valid until the next call of read().
  void read(std::size_t row);
  const Batch& batch() const { return batch_; }                  // the row, of HDF5
  const std::vector<std::int64_t>& ids() const { return ids_; }  // of a token sequence, without padding
  ShownRow shown() const;
  std::vector<std::string> pieces() const;

 private:
  void open_shard(const std::filesystem::path& path, Progress& progress);

  std::filesystem::path path_;
  SetFormat format_ = SetFormat::kHdf5;
  RowContent content_ = RowContent::kTokens;
  ShardShape shape_{};
  std::optional<ShardReader> reader_;           // of HDF5
  std::unique_ptr<StoredSequences> sequences_;  // of other formats
  std::vector<std::int64_t> ids_;
  Batch batch_;
  std::optional<Vocab> vocab_;
  std::optional<TokenSpelling> spelling_;
};

}  // namespace bertprep
