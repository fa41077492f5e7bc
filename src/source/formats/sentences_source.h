// The project's own text formats: a formatted file, one article per line (docs/formats/articles.md), and a text shard,
// one sentence per line and a blank line after each article (docs/formats/text-shard.md).
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "source/input/article_limit.h"
#include "source/input/deferred_work.h"
#include "source/input/input_texts.h"
#include "stream/line_reader.h"
#include "unicode/code_points.h"
#include "unicode/utf8_text.h"

namespace bertprep {

// TextLineReader: UTF-8 lines, as Python reads them with newline='\n', after a byte order mark.
class TextLineReader {
 public:
  TextLineReader(TextInput input, std::uint64_t max_bytes)
      : lines_(std::move(input.name), std::move(input.bytes), input.first_line, input.first_byte) {
    lines_.set_limit(max_bytes);
  }

  // As LineReader::next; throws FormatError with line and byte if the line is not UTF-8, unless it is truncated.
  bool next(std::string_view& line) {
    if (!lines_.next(line)) return false;
    if (!lines_.is_truncated()) require_valid_utf8(line, lines_.name(), lines_.line_number(), lines_.line_offset());
    if (lines_.line_offset() == 0) line = unicode::without_byte_order_mark(line);
    return true;
  }

  bool is_truncated() const { return lines_.is_truncated(); }
  std::uint64_t line_bytes() const { return lines_.line_bytes(); }
  std::string place() const { return lines_.name() + ":" + std::to_string(lines_.line_number()); }
  // Sets the origin of a record that begins at the last line.
  void begin_record(Origin& origin) const {
    origin.line = lines_.line_number();
    origin.byte = lines_.line_offset();
  }

 private:
  LineReader lines_;
};

class SentencesSource final : public DeferredSource {
 public:
  // `as_is`: with the blanks around sentences.
  explicit SentencesSource(TextInput input, const ArticleLimit& limit = {}, bool as_is = false)
      : lines_(std::move(input), limit.bytes()), limit_(limit), as_is_(as_is) {}

  bool read(SourceDocument& document) override;

 private:
  bool next_line(std::string_view& line);

  TextLineReader lines_;
  ArticleLimit limit_;
  bool as_is_;
  std::string_view rest_;  // the rest of the last line after a CR
  bool has_rest_ = false;
};

// ArticlesSource: a formatted file, one article per line (docs/formats/articles.md).
class ArticlesSource final : public DeferredSource {
 public:
  // `as_is`: with the blanks around articles.
  explicit ArticlesSource(TextInput input, const ArticleLimit& limit = {}, bool as_is = false)
      : lines_(std::move(input), limit.bytes()), limit_(limit), as_is_(as_is) {}

  bool read(SourceDocument& document) override;

 private:
  TextLineReader lines_;
  ArticleLimit limit_;
  bool as_is_;
};

}  // namespace bertprep
