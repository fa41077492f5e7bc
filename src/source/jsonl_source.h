// JsonlSource: JSON Lines, one object a line. Blank lines are nothing; a line without text is a bad record.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "bertprep/source/document_source.h"
#include "io/line_reader.h"
#include "source/jsonl_record.h"
#include "source/rejects.h"

namespace bertprep {

class JsonlSource final : public DocumentSource {
 public:
  // `rejects` must outlive the object.
  JsonlSource(const std::filesystem::path& path, const std::string& text_field, Rejects& rejects);

  bool next(Document& document) override;

 private:
  void reject(const std::string& reason, std::string_view line);

  LineReader lines_;
  JsonlRecord record_;
  Rejects& rejects_;
};

}  // namespace bertprep
