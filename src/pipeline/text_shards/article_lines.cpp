#include "pipeline/text_shards/article_lines.h"

#include "io/json.h"
#include "unicode/ascii.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

// In the reference's layout: a document that the reference takes for several articles has such lines between them.
constexpr std::string_view kArticleEnd = "</doc>";

// Line breaks become blanks, or ends of sentences. Text without any stays unchanged, including CR.
void append_joined(std::string_view text, ArticleLayout layout, std::string& out) {
  if (text.find('\n') == std::string_view::npos) {
    out += strip_end(text);
  } else {
    const std::size_t begin = out.size();
    bool is_new_paragraph = false;
    for_each_text_line(text, [&](std::string_view line) {
      const std::string_view words = strip(line);
      if (words.empty()) {
        is_new_paragraph = true;
        return;
      }
      const bool is_end = layout == ArticleLayout::kLines || (layout == ArticleLayout::kParagraphs && is_new_paragraph);
      if (out.size() != begin) out += is_end ? kSentenceEnd : " ";
      out += words;
      is_new_paragraph = false;
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

// " = Title = ", but not deeper headings.
bool is_title(std::string_view line) {
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
  return line.size() > 4 && line.starts_with(" = ") && line.ends_with(" =") && !line.starts_with(" = =") &&
         !line.ends_with("= =");
}

std::string_view line_at(std::string_view text, std::size_t begin) {
  return text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
}

std::string_view line_before(std::string_view text, std::size_t begin) {
  if (begin < 2) return {};
  const std::size_t start = text.rfind('\n', begin - 2) + 1;  // 0 without one
  return text.substr(start, begin - 1 - start);
}

class DocumentLineSplitter final : public SentenceSplitter {
 public:
  std::string name() const override { return "documents"; }
  std::string version() const override { return {}; }
  void split(std::string_view article, std::vector<std::string_view>& sentences) const override {
    sentences.assign(1, article);
  }
};

bool begins_article(std::string_view text, std::size_t begin, InputFormat format) {
  if (format == InputFormat::kSentences) return is_ascii_blank(line_before(text, begin));
  if (format == InputFormat::kWikitext)
    return is_title(line_at(text, begin)) && is_ascii_blank(line_before(text, begin));
  return true;
}

}  // namespace

std::string without_sentence_ends(std::string_view line) {
  std::string joined(line);
  replace_all(joined, kSentenceEnd, " ");
  return joined;
}

std::size_t append_article_line(const Document& document, std::string& out) {
  if (document.layout == ArticleLayout::kReference) return append_as_reference(document.text, out);
  if (strip(document.text).empty()) return 0;
  append_joined(document.text, document.layout, out);
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

std::size_t append_document_line(const Document& document, std::string& out) {
  if (strip(document.text).empty()) return 0;
  out += R"({"text":)";
  append_json_string(document.text, out);
  out += "}\n";
  return 1;
}

std::shared_ptr<const SentenceSplitter> document_line_splitter() {
  return std::make_shared<DocumentLineSplitter>();
}

bool has_article_boundaries(InputFormat format) {
  return format == InputFormat::kArticles || format == InputFormat::kJsonl || format == InputFormat::kSentences ||
         format == InputFormat::kWikitext;
}

std::size_t next_article(std::string_view text, std::size_t place, InputFormat format) {
  if (place == 0) return 0;
  while (place < text.size()) {
    const std::size_t feed = text.find('\n', place - 1);
    if (feed == std::string_view::npos) break;
    place = feed + 1;
    if (place < text.size() && begins_article(text, place, format)) return place;
    ++place;
  }
  return text.size();
}

}  // namespace bertprep
