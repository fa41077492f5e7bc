// JsonlSource: JSON Lines, one object a line, or an array of objects. Blank lines are nothing; a record without text is
// a bad one.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

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
  std::shared_ptr<const DeferredWork> element;  // of an array
};

class JsonlSource final : public DocumentSource {
 public:
  // Documents are records that deferred work has to read.
  JsonlSource(TextInput input, DeferredJsonlPair deferred, const ArticleLimit& limit = {});

  // Throws FormatError for an object that goes over several lines, and as JsonElements does.
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
