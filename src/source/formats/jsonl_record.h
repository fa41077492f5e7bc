// JsonlRecord: one line of a JSON Lines file -> a document, read by simdjson.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/source/document_source.h"
#include "source/formats/text_fields.h"
#include "source/input/deferred_work.h"

namespace bertprep {

class JsonlRecord {
 public:
  // A key with dots or commas is looked up whole before its parts.
  explicit JsonlRecord(const RecordFields& fields);
  ~JsonlRecord();

  // Sets text, title and, from the keys id, url and timestamp, the origin of `document`; or says why the line has no
  // text. `line` must be valid UTF-8.
  std::optional<std::string> read(std::string_view line, Document& document);

 private:
  struct Parser;

  std::vector<std::string> fields_;  // all of `text_field` and, if it names several fields, each of them
  HtmlFields html_;
  std::unique_ptr<Parser> parser_;
};

// DeferredJsonl: a record of a JSON file -> title, text and origin; or why it is rejected.

// How a rejected record is named: by FILE:LINE, or by FILE:LINE and its first byte, if a line has many.
enum class JsonPlace { kLine, kByte };

// Finishes documents whose text is the record, with origin.line and origin.byte set.
std::shared_ptr<const DeferredWork> make_deferred_jsonl(RecordFields fields, JsonPlace place = JsonPlace::kLine);

}  // namespace bertprep
