// JsonlSource: JSON Lines, one object a line. Blank lines are nothing; a line without text is a bad record.
#pragma once

#include <memory>
#include <string_view>

#include "bertprep/source/document_source.h"
#include "source/text_input.h"
#include "stream/line_reader.h"

namespace bertprep {

class JsonlSource final : public DocumentSource {
 public:
  // Documents are lines that `finisher` (jsonl_finisher.h) has to read.
  JsonlSource(TextInput input, std::shared_ptr<const DocumentFinisher> finisher);

  // Throws FormatError for JSON that is spread over lines, or an array.
  bool next(Document& document) override;

 private:
  void check_first(std::string_view record);

  LineReader lines_;
  std::shared_ptr<const DocumentFinisher> finisher_;
  bool is_begun_;
};

}  // namespace bertprep
