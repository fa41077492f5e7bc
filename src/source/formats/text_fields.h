// What formats of records with named fields share: which fields are the text, and how to join them.
#pragma once

#include "source/html/html_text.h"
#include "source/input/deferred_work.h"

namespace bertprep {

// The names in `text_field` (SourceOptions): all of it and, if it names several fields, each of them.
std::vector<std::string> text_fields_of(const std::string& text_field);

// Between the texts that become one.
inline constexpr std::string_view kParagraphBreak = "\n\n";

// Of SourceOptions.
struct RecordFields {
  std::string text_field = "text";
  HtmlHandling html = HtmlHandling::kRefuse;
};
inline RecordFields record_fields(const SourceOptions& options) {
  return {options.text_field, options.html};
}

// JoinedText: fields as paragraphs of the text of one document; skips blank ones.
class JoinedText {
 public:
  // Clears the text of `document`, which must outlive the object, as `html` must.
  JoinedText(SourceDocument& document, HtmlFields& html) : document_(document), html_(html) { document.text.clear(); }

  // Or says why the record is rejected.
  std::optional<std::string> add(std::string_view field);
  bool is_empty() const { return document_.text.empty(); }

 private:
  SourceDocument& document_;
  HtmlFields& html_;
};

}  // namespace bertprep
