// Articles as lines of formatted files and text shards, and where they begin in the middle of a file.
#pragma once

#include <algorithm>

#include "bertprep/source/open_source.h"
#include "bertprep/text/sentences.h"

namespace bertprep {

// Calls line(view) for every line of `text`, a text shard, without its end; a last line without an end counts. Lines
// end at LF, CR or CRLF, as in Python's text mode.
template <class Line>
void for_each_text_line(std::string_view text, Line line) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    // The CR of CRLF, and a CR at the very end, end a line once.
    if (part.ends_with('\r')) part.remove_suffix(1);
    for (std::size_t cr = part.find('\r'); cr != std::string_view::npos; cr = part.find('\r')) {
      line(part.substr(0, cr));
      part.remove_prefix(cr + 1);
    }
    line(part);
  }
}

// Between two parts of an article's line: a sentence ends here (ArticleLayout::kParagraphs, kLines). White space for
// Python, and nothing for BERT's tokenizer.
inline constexpr std::string_view kSentenceEnd = " \x1e ";

// With a blank for each of them.
std::string without_sentence_ends(std::string_view line);

// Appends the document according to its layout. Returns the number of articles that sharding will see in it: 0 without
// text, and more than 1 if ArticleLayout::kReference splits it.
std::size_t append_article_line(const Document& document, std::string& out);

// Appends the document as in text shards: one line per sentence, then an empty line. Returns 1, or 0 without text; then
// appends nothing.
std::size_t append_sentence_lines(const Document& document, std::string& out);

// Appends the text of the document, as it is, as a line of JSON Lines. Returns 1, or 0 without text.
std::size_t append_document_line(const Document& document, std::string& out);

// For these lines: each is one piece, so that the index and text shards have whole documents. Its name is "documents".
std::shared_ptr<const SentenceSplitter> document_line_splitter();

// Whether articles can be found from the middle of a file: articles, jsonl, sentences and wikitext.
bool has_article_boundaries(InputFormat format);

// The beginning of the first article at or after `place`; the size of `text` if there is none. An article begins at the
// beginning of the file.
std::size_t next_article(std::string_view text, std::size_t place, InputFormat format);

}  // namespace bertprep
