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
    const std::size_t end = std::min(rest.find(','), rest.size());
    if (end != 0) fields.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return fields;
}

std::optional<std::string> JoinedText::add(std::string_view field) {
  if (strip(field).empty()) return std::nullopt;
  HtmlFields::Shown shown = html_.show(field, document_.note);
  if (shown.rejection) return std::move(shown.rejection);
  if (!document_.text.empty()) document_.text += kParagraphBreak;
  document_.text += shown.text;
  return std::nullopt;
}

}  // namespace bertprep
