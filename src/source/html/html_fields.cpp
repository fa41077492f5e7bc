#include "source/html/html_fields.h"

#include <string>
#include <utility>

#include "source/html/html_marks.h"

namespace bertprep {
namespace {

constexpr const char* kRefused =
    "the text is HTML: `html` text reads it as a browser does, `html` keep leaves it as it is";
constexpr const char* kNoted =
    "tags or character references of HTML stay in the text: `html` text reads such text as a browser does, `html` keep "
    "says that they belong there";

}  // namespace

HtmlFields::Shown HtmlFields::show(std::string_view field, std::string& note) {
  if (handling_ == HtmlHandling::kKeep) return {.text = field};
  const HtmlMarks marks = html_marks_of(field);
  if (marks == HtmlMarks::kNone) return {.text = field};
  if (handling_ == HtmlHandling::kText) {
    if (!reader_) reader_.emplace();
    auto rejection = reader_->read(field, text_);
    return {.text = text_, .rejection = std::move(rejection)};
  }
  if (marks == HtmlMarks::kWhole) return {.rejection = kRefused};
  note += (note.empty() ? "" : "; ") + std::string(kNoted);
  return {.text = field};
}

}  // namespace bertprep
