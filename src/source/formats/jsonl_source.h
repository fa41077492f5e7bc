// JsonlSource: JSON Lines, one object per line, or an array of objects. Ignores blank lines; a record without text is a
// bad record.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/source/document_source.h"
#include "source/formats/json_elements.h"
#include "source/formats/text_fields.h"
#include "source/input/article_limit.h"
#include "source/input/deferred_work.h"
#include "source/input/input_texts.h"
#include "stream/line_reader.h"

namespace bertprep {

// JsonlRecord: one line of a JSON Lines file -> a document, read by simdjson.
class JsonlRecord {
 public:
  // A key with dots or commas is looked up whole before its parts.
  explicit JsonlRecord(const RecordFields& fields);
  ~JsonlRecord();

  // Sets text, title and, from the keys id, url and timestamp, the origin of `document`; or says why the line has no
  // text. `line` must be valid UTF-8.
  std::optional<std::string> read(std::string_view line, SourceDocument& document);

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

// Each by jsonl_record.h.
struct DeferredJsonlPair {
  std::shared_ptr<const DeferredWork> line;
  std::shared_ptr<const DeferredWork> element;  // for an array
};

class JsonlSource final : public DeferredSource {
 public:
  // Documents are raw records, read later by the deferred work.
  JsonlSource(TextInput input, DeferredJsonlPair deferred, const ArticleLimit& limit = {});

  // Throws FormatError for an object spread over several lines, and as JsonElements does.
  bool read(SourceDocument& document) override;

 private:
  void begin();
  bool next_line(SourceDocument& document);
  bool next_element(SourceDocument& document);

  TextInput input_;
  DeferredJsonlPair deferred_;
  ArticleLimit limit_;
  std::optional<LineReader> lines_;
  std::optional<JsonElements> elements_;
};

}  // namespace bertprep
