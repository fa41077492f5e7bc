// ArrowSource: each row of a file or stream of Arrow's IPC format is a document.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "source/columns/arrow_message.h"
#include "source/columns/arrow_stream.h"
#include "source/formats/row_columns.h"
#include "source/input/deferred_work.h"
#include "source/input/input_piece.h"
#include "source/input/input_texts.h"

namespace bertprep {

class ArrowSource final : public DeferredSource {
 public:
  // Of a part of a file, reads the batches that begin there.
  ArrowSource(TextInput input, ColumnOptions options);

  // Documents are records (column_record.h). Throws FormatError: no such column, one without strings, damage, with the
  // number of the batch.
  bool read(SourceDocument& document) override;

 private:
  bool read_message();
  void begin_batch();
  void add_dictionary();
  ArrowBatch::Body body();

  TextInput input_;
  ColumnOptions options_;
  std::optional<ArrowStream> stream_;
  bool has_ended_ = false;
  ArrowSchema schema_;
  ArrowDictionaries dictionaries_;
  PageUnpacker unpacker_;
  RowColumns columns_;
  ArrowBatch batch_;
  std::uint64_t row_in_batch_ = 0;
  std::uint64_t row_;
  std::vector<ColumnValue> values_;
};

// Where batches begin, as even as they allow; nowhere in a compressed file. Throws IoError.
std::vector<SplitPoint> split_arrow(const std::filesystem::path& file, std::uint64_t file_bytes, std::uint64_t pieces);

}  // namespace bertprep
