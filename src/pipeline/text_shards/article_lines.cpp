#include "pipeline/text_shards/article_lines.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "pipeline/text_shards/text_lines.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

// In the reference's layout: a document that the reference takes for several articles has such lines between them.
constexpr std::string_view kArticleEnd = "</doc>";

// Line breaks become blanks. Text without any stays unchanged, including CR.
void append_joined(std::string_view text, std::string& out) {
  if (text.find('\n') == std::string_view::npos) {
    out += strip_end(text);
  } else {
    const std::size_t begin = out.size();
    for_each_text_line(text, [&](std::string_view line) {
      const std::string_view words = strip(line);
      if (words.empty()) return;
      if (out.size() != begin) out += ' ';
      out += words;
    });
  }
  out += '\n';
}

// As the reference's formatting does: lines end at LF only; one of only white space becomes a blank.
std::size_t append_as_reference(std::string_view text, std::string& out) {
  std::size_t articles = 0;
  bool has_text = false;
  const auto end_article = [&] {
    out += "\n\n";
    articles += std::exchange(has_text, false) ? 1 : 0;
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (text.substr(0, end) == kArticleEnd) {
      end_article();
    } else if (end != 0) {
      const std::string_view words = strip_end(text.substr(0, end));
      has_text = has_text || !words.empty();
      out += words;
      out += ' ';
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  end_article();
  return articles;
}

}  // namespace

std::size_t append_article_line(const Document& document, std::string& out) {
  if (document.layout == ArticleLayout::kReference) return append_as_reference(document.text, out);
  if (strip(document.text).empty()) return 0;
  append_joined(document.text, out);
  return 1;
}

std::size_t append_sentence_lines(const Document& document, std::string& out) {
  const std::size_t begin = out.size();
  for_each_text_line(document.text, [&](std::string_view line) {
    const std::string_view sentence = strip(line);
    if (sentence.empty()) return;
    out += sentence;
    out += '\n';
  });
  if (out.size() == begin) return 0;
  out += '\n';
  return 1;
}

}  // namespace bertprep
