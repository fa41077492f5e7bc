#include "pipeline/sequences/sentence_spans.h"

#include <algorithm>

#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr std::string_view kLines = "lines";

}  // namespace

// Splitters expect one line. A blank has as many bytes as a line break, so that offsets stay.
void SentenceSpans::find_in_paragraph(std::string_view text, std::size_t begin, std::size_t end,
                                      std::vector<std::size_t>& begins) {
  const std::string_view paragraph = strip(text.substr(begin, end - begin));
  if (paragraph.empty()) return;
  line_ = paragraph;
  const auto is_break = [](char c) { return c == '\n' || c == '\r'; };
  if (splitter_.name() != kLines) std::ranges::replace_if(line_, is_break, ' ');
  splitter_.split(line_, sentences_);
  const auto first = static_cast<std::size_t>(paragraph.data() - text.data());
  for (const std::string_view sentence : sentences_) {
    begins.push_back(first + static_cast<std::size_t>(sentence.data() - line_.data()));
  }
}

void SentenceSpans::find(std::string_view text, std::vector<std::size_t>& begins) {
  begins.clear();
  std::size_t paragraph = 0;
  for (std::size_t line = 0; line < text.size();) {
    const std::size_t end = std::min(text.find('\n', line), text.size());
    if (strip(text.substr(line, end - line)).empty()) {
      find_in_paragraph(text, paragraph, line, begins);
      paragraph = end;
    }
    line = end + 1;
  }
  find_in_paragraph(text, paragraph, text.size(), begins);
  if (begins.empty()) begins.push_back(0);
  begins.front() = 0;
}

}  // namespace bertprep
