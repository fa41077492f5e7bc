#include "source/jsonl_source.h"

#include "bertprep/io/utf8.h"

namespace bertprep {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

JsonlSource::JsonlSource(const std::filesystem::path& path, const std::string& text_field, Rejects& rejects)
    : lines_(path), record_(text_field), rejects_(rejects) {}

void JsonlSource::reject(const std::string& reason, std::string_view line) {
  rejects_.add(lines_.path().native() + ":" + std::to_string(lines_.line_number()), reason, line);
}

bool JsonlSource::next(Document& document) {
  for (std::string_view line; lines_.next(line);) {
    std::string_view record = line;
    if (lines_.line_number() == 1 && record.starts_with(kByteOrderMark)) {
      record.remove_prefix(kByteOrderMark.size());
    }
    if (is_blank(record)) continue;
    if (const auto fault = find_invalid_utf8(line)) {
      reject("invalid UTF-8 at byte " + std::to_string(lines_.line_offset() + *fault), line);
    } else if (const auto reason = record_.read(record, document)) {
      reject(*reason, line);
    } else {
      return true;
    }
  }
  return false;
}

}  // namespace bertprep
