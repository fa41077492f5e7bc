#include "source/jsonl_source.h"

#include <string>
#include <utility>

#include "bertprep/base/error.h"
#include "source/byte_order_mark.h"

namespace bertprep {
namespace {

constexpr const char* kBlanks = " \t\r";

bool is_blank(std::string_view line) {
  return line.find_first_not_of(kBlanks) == std::string_view::npos;
}

}  // namespace

JsonlSource::JsonlSource(TextInput input, std::shared_ptr<const DocumentFinisher> finisher)
    : lines_(std::move(input.name), std::move(input.bytes), input.first_line, input.first_byte),
      finisher_(std::move(finisher)),
      is_begun_(input.first_line > 1) {}

// Every line of such a file would be a bad record of its own.
void JsonlSource::check_first(std::string_view record) {
  if (std::exchange(is_begun_, true)) return;
  std::string_view text = record.substr(0, record.find_last_not_of(kBlanks) + 1);
  text.remove_prefix(text.find_first_not_of(kBlanks));
  const bool is_array = text == "[" || text.starts_with("[{");
  if (!is_array && text != "{") return;
  throw FormatError(
      is_array ? "this is a JSON array, not an object a line" : "this JSON object goes over several lines",
      lines_.name() + ":" + std::to_string(lines_.line_number()),
      std::string("write an object a line: jq -c ") + (is_array ? "'.[]'" : "."));
}

bool JsonlSource::next(Document& document) {
  for (std::string_view line; lines_.next(line);) {
    const std::string_view record = lines_.line_number() == 1 ? without_byte_order_mark(line) : line;
    if (is_blank(record)) continue;
    check_first(record);
    document.text = line;
    document.origin.source = lines_.name();
    document.origin.line = lines_.line_number();
    document.origin.byte = lines_.line_offset();
    document.finisher = finisher_;
    return true;
  }
  return false;
}

}  // namespace bertprep
