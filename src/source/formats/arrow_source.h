// ArrowSource: each row of a file or stream of Arrow's IPC format is a document.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/source/document_source.h"
#include "source/columns/arrow_message.h"
#include "source/formats/row_columns.h"
#include "source/input/input_texts.h"

namespace bertprep {

// By the first bytes: a file, or a stream that begins with a schema.
bool begins_as_arrow(std::string_view head);

class ArrowSource final : public DocumentSource {
 public:
  ArrowSource(TextInput input, ColumnOptions options);

  // Documents are records (column_record.h). Throws FormatError: no such column, one without strings, damage, with the
  // number of the batch.
  bool next(Document& document) override;

 private:
  bool take(std::uint64_t count, std::string& bytes);
  bool read_length(std::uint64_t& length);
  bool read_message();
  void finish();
  void begin_batch(const FlatTable& batch);
  void add_dictionary(const FlatTable& dictionary);
  ArrowBatch::Body body();

  TextInput input_;
  ColumnOptions options_;
  std::string_view block_;  // not yet taken
  std::uint64_t byte_ = 0;
  std::uint64_t message_byte_ = 0;
  std::uint64_t batches_ = 0;
  bool is_file_ = false;  // which has its list at the end
  std::string head_;
  std::string metadata_;
  std::string body_;
  bool has_schema_ = false;
  bool has_ended_ = false;
  ArrowSchema schema_;
  std::map<std::uint64_t, ArrowDictionary> dictionaries_;
  PageUnpacker unpacker_;
  RowColumns columns_;
  ArrowBatch batch_;
  std::uint64_t row_in_batch_ = 0;
  std::uint64_t row_ = 0;
  std::vector<ColumnValue> values_;
};

}  // namespace bertprep
