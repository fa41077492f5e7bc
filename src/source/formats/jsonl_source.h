// JsonlSource: JSON Lines, one object per line, or an array of objects. Ignores blank lines; a record without text is a
// bad record.
#pragma once

#include <memory>
#include <optional>

#include "bertprep/source/document_source.h"
#include "source/formats/json_elements.h"
#include "source/input/article_limit.h"
#include "source/input/deferred_work.h"
#include "source/input/input_texts.h"
#include "stream/line_reader.h"

namespace bertprep {

// Each by jsonl_record.h.
struct DeferredJsonlPair {
  std::shared_ptr<const DeferredWork> line;
  std::shared_ptr<const DeferredWork> element;  // for an array
};

class JsonlSource final : public DocumentSource {
 public:
  // Documents are raw records, read later by the deferred work.
  JsonlSource(TextInput input, DeferredJsonlPair deferred, const ArticleLimit& limit = {});

  // Throws FormatError for an object spread over several lines, and as JsonElements does.
  bool next(Document& document) override;

 private:
  void begin();
  bool next_line(Document& document);
  bool next_element(Document& document);

  TextInput input_;
  DeferredJsonlPair deferred_;
  ArticleLimit limit_;
  std::optional<LineReader> lines_;
  std::optional<JsonElements> elements_;
};

}  // namespace bertprep
