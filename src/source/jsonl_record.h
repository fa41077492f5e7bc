// JsonlRecord: one line of a JSON Lines file -> a document, read by simdjson.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "bertprep/source/document_source.h"

namespace bertprep {

class JsonlRecord {
 public:
  // `text_field` as in SourceOptions. A key that holds dots is found by its whole name before its parts.
  explicit JsonlRecord(std::string text_field);
  ~JsonlRecord();

  // Sets text, title and, from the keys id, url and timestamp, the origin of `document`; or says why the line has no
  // text. `line` is valid UTF-8.
  std::optional<std::string> read(std::string_view line, Document& document);

 private:
  struct Parser;

  std::string text_field_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace bertprep
