#include "source/formats/text_fields.h"

#include <algorithm>

#include "unicode/code_points.h"
#include "unicode/utf8_text.h"

namespace bertprep {

std::vector<std::string> text_fields_of(const std::string& text_field) {
  std::vector<std::string> fields{text_field};
  if (text_field.find(',') == std::string::npos) return fields;
  std::string_view rest = text_field;
  while (!rest.empty()) {
    if (const std::string_view field = take_part(rest, ','); !field.empty()) fields.emplace_back(field);
  }
  return fields;
}

std::optional<std::string> JoinedText::add(std::string_view field) {
  if (strip(field).empty()) return std::nullopt;
  HtmlFields::Shown shown = html_.show(field, document_.note);
  if (shown.rejection) return std::move(shown.rejection);
  append_part(shown.text, kParagraphBreak, document_.text);
  return std::nullopt;
}

}  // namespace bertprep
