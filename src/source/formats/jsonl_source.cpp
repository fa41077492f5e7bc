#include "source/formats/jsonl_source.h"

#include <algorithm>
#include <string>
#include <utility>

#include "bertprep/base/error.h"
#include "stream/byte_stream.h"
#include "unicode/ascii.h"
#include "unicode/code_points.h"

namespace bertprep {
namespace {

constexpr std::size_t kHeadBytes = std::size_t{1} << 16;
// Every line of such a file would be a bad record.
void refuse_spread(std::string_view head, const std::string& name) {
  const std::string_view blanks = head.substr(0, head.find_first_not_of(kAsciiBlanks));
  const auto line = 1 + std::count(blanks.begin(), blanks.end(), '\n');
  throw FormatError("this JSON object spans several lines", name + ":" + std::to_string(line), kSpreadJsonHint);
}

}  // namespace

JsonlSource::JsonlSource(TextInput input, DeferredJsonlPair deferred, const ArticleLimit& limit)
    : input_(std::move(input)), deferred_(std::move(deferred)), limit_(limit) {}

void JsonlSource::begin() {
  auto bytes = std::make_unique<PeekedStream>(std::move(input_.bytes));
  if (input_.first_line == 1) {
    const std::string_view head = unicode::without_byte_order_mark(bytes->peek(kHeadBytes));
    const JsonLayout layout = json_layout_of(head);
    if (layout == JsonLayout::kSpread) refuse_spread(head, input_.name);
    if (layout == JsonLayout::kArray) {
      elements_.emplace(input_.name, std::move(bytes), limit_.bytes());
      return;
    }
  }
  lines_.emplace(input_.name, std::move(bytes), input_.first_line, input_.first_byte);
  lines_->set_limit(limit_.bytes());
}

bool JsonlSource::next_line(Document& document) {
  for (std::string_view line; lines_->next(line);) {
    if (lines_->is_truncated()) {
      limit_.reject(input_.name + ":" + std::to_string(lines_->line_number()), lines_->line_bytes(), line);
      continue;
    }
    if (is_ascii_blank(lines_->line_number() == 1 ? unicode::without_byte_order_mark(line) : line)) continue;
    document.text = line;
    document.origin.line = lines_->line_number();
    document.origin.byte = lines_->line_offset();
    document.deferred = deferred_.line;
    return true;
  }
  return false;
}

bool JsonlSource::next_element(Document& document) {
  do {
    if (!elements_->next(document.text)) return false;
    if (!elements_->is_truncated()) break;
    limit_.reject(input_.name + ":" + std::to_string(elements_->line()), elements_->record_bytes(), document.text);
  } while (true);
  document.origin.line = elements_->line();
  document.origin.byte = elements_->byte();
  document.deferred = deferred_.element;
  return true;
}

bool JsonlSource::next(Document& document) {
  if (!lines_ && !elements_) begin();
  document.origin.source = input_.name;
  return elements_ ? next_element(document) : next_line(document);
}

}  // namespace bertprep
