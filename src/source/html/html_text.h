// HTML in texts: what shows it (tags of HTML's elements, comments, the document type, character references), and the
// text that a reader sees, parsed by libxml2, which is loaded when it is first needed.
#pragma once

#include "bertprep/source/open_source.h"

namespace bertprep {

enum class HtmlMarks {
  kNone,
  kSome,   // running text with marks in it: an article on HTML, code, a break
  kWhole,  // it begins and ends with a tag
};

// A `<` that begins no tag of HTML is no mark: "a < b", "std::vector<int>", "<unk>".
HtmlMarks html_marks_of(std::string_view text);

// For one thread.
class HtmlText {
 public:
  HtmlText();
  ~HtmlText();

  // Replaces `text` with the text of `html`, UTF-8, which it must not point to: elements that browsers start on a new
  // line, and <br>, are lines; blanks are one, except in <pre>; scripts, styles, forms, pictures, hidden elements,
  // Wikipedia's marks of references and all else that shows no text are left out. A raised number after a digit gets
  // '^': 10^2. Or says why it has none: an element that HTML doesn't have, whose tag may be text. Throws Error if
  // libxml2 can't be loaded.
  std::optional<std::string> read(std::string_view html, std::string& text);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

// HtmlFields: what becomes of HTML in the fields of records, by SourceOptions::html.
//
// For one thread.
class HtmlFields {
 public:
  explicit HtmlFields(HtmlHandling handling) : handling_(handling) {}

  // The text of `field`, which is valid until the next call, or why the record is rejected. A remark on the field goes
  // to `note`.
  struct Shown {
    std::string_view text{};
    std::optional<std::string> rejection{};
  };
  Shown show(std::string_view field, std::string& note);

 private:
  HtmlHandling handling_;
  std::optional<HtmlText> reader_;
  std::string text_;
};

}  // namespace bertprep
