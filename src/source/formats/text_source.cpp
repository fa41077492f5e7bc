#include "source/formats/text_source.h"

#include <algorithm>

#include "stream/line_reader.h"
#include "unicode/ascii.h"
#include "unicode/code_points.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

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

// ArticlesSource: a formatted file, one article per line (docs/formats/articles.md).
class ArticlesSource final : public DeferredSource {
 public:
  // `as_is`: with the blanks around articles.
  ArticlesSource(TextInput input, const ArticleLimit& limit, bool as_is)
      : lines_(std::move(input), limit.bytes()), limit_(limit), as_is_(as_is) {}

  bool read(SourceDocument& document) override {
    document.title.clear();
    for (std::string_view line; lines_.next(line);) {
      if (lines_.is_truncated()) {
        limit_.reject(lines_.place(), lines_.line_bytes(), line);
        continue;
      }
      if (strip(line).empty()) continue;
      lines_.begin_record(document.origin);
      document.text = as_is_ ? line.substr(0, line.size() - (line.ends_with('\r') ? 1 : 0)) : strip_end(line);
      return true;
    }
    return false;
  }

 private:
  TextLineReader lines_;
  ArticleLimit limit_;
  bool as_is_;
};

// A text shard, one sentence per line and a blank line after each article (docs/formats/text-shard.md).
class SentencesSource final : public DeferredSource {
 public:
  // `as_is`: with the blanks around sentences.
  SentencesSource(TextInput input, const ArticleLimit& limit, bool as_is)
      : lines_(std::move(input), limit.bytes()), limit_(limit), as_is_(as_is) {}

  bool read(SourceDocument& document) override {
    document.title.clear();
    document.origin.line = 0;
    GrowingText text(document.text, limit_);
    for (std::string_view line; next_line(line);) {
      const std::string_view sentence = strip(line);
      if (!sentence.empty()) {
        if (!as_is_) line = sentence;
        if (document.origin.line == 0) lines_.begin_record(document.origin);
        text.append("\n", line, lines_.is_truncated() ? lines_.line_bytes() : line.size(), lines_.place());
      } else if (text.take()) {
        return true;
      } else {
        document.origin.line = 0;
      }
    }
    return text.take();
  }

 private:
  // Universal newlines: CR, LF and CR LF all end a line.
  bool next_line(std::string_view& line) {
    if (!has_rest_) {
      if (!lines_.next(rest_)) return false;
      if (rest_.ends_with('\r')) rest_.remove_suffix(1);
    }
    const std::size_t end = rest_.find('\r');
    line = rest_.substr(0, end);
    has_rest_ = end != std::string_view::npos;
    if (has_rest_) rest_.remove_prefix(end + 1);
    return true;
  }

  TextLineReader lines_;
  ArticleLimit limit_;
  bool as_is_;
  std::string_view rest_;  // the rest of the last line after a CR
  bool has_rest_ = false;
};

// WikiText-2 and WikiText-103, tokenised or raw.
//
// An article begins at a title between blank lines (or ends of the file); a line that looks like a title elsewhere is
// text. Section headings are left out; the other lines, detokenized if requested, and stripped, are joined by a blank.
// Text before the first title is an article without title; a title without text is skipped.
//
// As it is, an article is all lines from its title to the next one's, each with its line feed.
class WikitextSource final : public DeferredSource {
 public:
  WikitextSource(TextInput input, const SourceOptions& options, const ArticleLimit& limit)
      : lines_(std::move(input), limit.bytes()),
        limit_(limit),
        detokenizes_(options.detokenize == Detokenization::kWikitext),
        as_is_(options.as_is) {}

  bool read(SourceDocument& document) override {
    begin_article(document);
    GrowingText text(document.text, limit_);
    Origin here;
    const auto add = [&](std::string_view line, std::uint64_t more_bytes, const std::string& place) {
      if (document.origin.line == 0) document.origin = here;
      text.append(as_is_ ? "" : " ", line, line.size() + more_bytes, place);
    };
    bool has_text = false;
    if (as_is_ && !document.title.empty()) add(paragraph_of(candidate_), 0, lines_.place());
    for (std::string_view line; next_line(line);) {
      const std::string place = lines_.place();
      lines_.begin_record(here);
      if (lines_.is_truncated()) {
        after_blank_ = false;
        has_text = true;
        add(line, lines_.line_bytes() - line.size(), place);
        continue;
      }
      const bool was_after_blank = std::exchange(after_blank_, strip(line).empty());
      if (after_blank_ || is_wikitext_section(line)) {
        // Empty lines before the first title are no article.
        if (as_is_ && !text.is_empty()) add(paragraph_of(line), 0, place);
        continue;
      }
      const bool may_be_title = was_after_blank && looks_like_wikitext_title(line);
      if (may_be_title) {
        candidate_ = line;
        line = candidate_;
      }
      if (!may_be_title || !ends_before_blank_line()) {
        has_text = true;
        add(paragraph_of(line), 0, place);
        continue;
      }
      next_title_ = wikitext_title(candidate_);
      next_line_number_ = here.line;
      next_byte_ = here.byte;
      if (!std::exchange(has_text, false)) text.drop();
      if (text.take()) return true;
      begin_article(document);
      if (as_is_) add(paragraph_of(candidate_), 0, place);
    }
    if (!has_text) text.drop();
    return text.take();
  }

 private:
  bool next_line(std::string_view& line) {
    if (!std::exchange(has_ahead_, false)) return lines_.next(line);
    line = ahead_;
    return true;
  }

  // Reads the line after the current one, which becomes invalid.
  bool ends_before_blank_line() {
    has_ahead_ = lines_.next(ahead_);
    return !has_ahead_ || strip(ahead_).empty();
  }

  void begin_article(SourceDocument& document) {
    document.title = std::exchange(next_title_, {});
    document.origin.line = std::exchange(next_line_number_, 0);
    document.origin.byte = next_byte_;
  }

  // What a line adds to the text of its article; valid until the next call.
  std::string_view paragraph_of(std::string_view line) {
    if (!detokenizes_ && !as_is_) return strip(line);
    paragraph_ = line;
    if (as_is_) paragraph_ += '\n';
    if (detokenizes_) detokenize_wikitext(paragraph_);
    return as_is_ ? std::string_view(paragraph_) : strip(paragraph_);
  }

  TextLineReader lines_;
  ArticleLimit limit_;
  std::string_view ahead_;  // the line after a possible title, already read
  bool has_ahead_ = false;
  bool after_blank_ = true;
  bool detokenizes_;
  bool as_is_;
  std::string paragraph_;
  std::string candidate_;  // a line that looks like a title
  // Title and position of the next article, whose title line was read.
  std::string next_title_;
  std::uint64_t next_line_number_ = 0;
  std::uint64_t next_byte_ = 0;
};

// Every occurrence of `before`, from the left and without overlaps, becomes `after`, which must not be longer.
struct Replacement {
  std::string_view before;
  std::size_t mark;  // the index of its rarest character, which is searched for
  std::string_view after;
};

constexpr Replacement kPossessives[] = {{"s '", 2, "s'"}};
constexpr Replacement kSeparators[] = {{" @-@ ", 1, "-"}, {" @,@ ", 1, ","}, {" @.@ ", 1, "."},
                                       {" : ", 1, ": "},  {" ; ", 1, "; "},  {" . ", 1, ". "},
                                       {" ! ", 1, "! "},  {" ? ", 1, "? "},  {" , ", 1, ", "}};
constexpr Replacement kRest[] = {
    {"= = = =", 0, "===="}, {"= = =", 0, "==="}, {"= =", 0, "=="},  {" \xC2\xB0 ", 2, "\xC2\xB0"},
    {" \n", 1, "\n"},       {"\n ", 0, "\n"},    {" N ", 1, " 1 "}, {" 's", 1, "'s"}};

struct Brackets {
  char open;
  char close;
};
constexpr Brackets kBrackets[] = {{'(', ')'}, {'[', ']'}, {'{', '}'}, {'"', '"'}, {'\'', '\''}};

// Overwrites a text from its front: unread text stays untouched.
class Rewriting {
 public:
  explicit Rewriting(std::string& text) : text_(text) {}

  std::size_t read() const { return read_; }
  // Keeps the text before `place`.
  void keep_to(std::size_t place) {
    if (written_ != read_) std::copy(text_.data() + read_, text_.data() + place, text_.data() + written_);
    written_ += place - read_;
    read_ = place;
  }
  void skip_to(std::size_t place) { read_ = place; }
  void write(std::string_view bytes) { written_ += bytes.copy(text_.data() + written_, bytes.size()); }
  void finish() {
    keep_to(text_.size());
    text_.resize(written_);
  }

 private:
  std::string& text_;
  std::size_t read_ = 0;
  std::size_t written_ = 0;
};

void replace(const Replacement& rule, std::string& text) {
  const std::string_view view = text;
  Rewriting rewriting(text);
  for (std::size_t mark = view.find(rule.before[rule.mark]); mark != std::string_view::npos;
       mark = view.find(rule.before[rule.mark], mark + 1)) {
    if (mark < rewriting.read() + rule.mark) continue;
    const std::size_t begin = mark - rule.mark;
    if (!view.substr(begin).starts_with(rule.before)) continue;
    rewriting.keep_to(begin);
    rewriting.write(rule.after);
    rewriting.skip_to(begin + rule.before.size());
  }
  rewriting.finish();
}

// Mistral means to remove the blank of "/' 5/", and writes the pattern instead.
void write_pattern_of_digits(std::string& text) {
  constexpr std::string_view kBefore = "/' ";
  constexpr std::string_view kAfter = "/'[0-9]/";
  constexpr std::size_t kSize = 5;
  for (std::size_t at = text.find(kBefore); at != std::string::npos; at = text.find(kBefore, at)) {
    if (at + kSize > text.size() || !is_ascii_digit(text[at + kSize - 2]) || text[at + kSize - 1] != '/') {
      ++at;
      continue;
    }
    text.replace(at, kSize, kAfter);
    at += kAfter.size();
  }
}

void strip_inside(const Brackets& pair, std::string& text) {
  const std::string_view view = text;
  Rewriting rewriting(text);
  for (;;) {
    const std::size_t open = view.find(pair.open, rewriting.read());
    const std::size_t close = open == std::string_view::npos ? open : view.find(pair.close, open + 1);
    if (close == std::string_view::npos) break;
    const std::string_view inside = strip(view.substr(open + 1, close - open - 1));
    rewriting.keep_to(open + 1);
    if (!inside.empty()) {
      const auto begin = static_cast<std::size_t>(inside.data() - view.data());
      rewriting.skip_to(begin);
      rewriting.keep_to(begin + inside.size());
    }
    rewriting.skip_to(close);
    rewriting.keep_to(close + 1);
  }
  rewriting.finish();
}

constexpr std::string_view kTitleBegin = " = ";
constexpr std::string_view kTitleEnd = " = ";
constexpr std::string_view kSection = " = = ";

bool encloses(std::string_view line, std::string_view begin, std::string_view end) {
  return line.size() >= begin.size() + end.size() && line.starts_with(begin) && line.ends_with(end);
}

std::string_view between(std::string_view line) {
  return line.substr(kTitleBegin.size(), line.size() - kTitleBegin.size() - kTitleEnd.size());
}

template <class Source>
OpenText plain_reader(const SourceOptions& options, const CorpusReading& reading) {
  return [as_is = options.as_is, reading](TextInput input) {
    return std::make_unique<Source>(std::move(input), reading.limit, as_is);
  };
}

}  // namespace

OpenText articles_reader(const SourceOptions& options, const CorpusReading& reading) {
  return plain_reader<ArticlesSource>(options, reading);
}

OpenText sentences_reader(const SourceOptions& options, const CorpusReading& reading) {
  return plain_reader<SentencesSource>(options, reading);
}

OpenText wikitext_reader(const SourceOptions& options, const CorpusReading& reading) {
  return [options, reading](TextInput input) {
    return std::make_unique<WikitextSource>(std::move(input), options, reading.limit);
  };
}

void detokenize_wikitext(std::string& row) {
  for (const Replacement& rule : kPossessives) replace(rule, row);
  write_pattern_of_digits(row);
  for (const Replacement& rule : kSeparators) replace(rule, row);
  for (const Brackets& pair : kBrackets) strip_inside(pair, row);
  for (const Replacement& rule : kRest) replace(rule, row);
}

bool looks_like_wikitext_title(std::string_view line) {
  if (!encloses(line, kTitleBegin, kTitleEnd)) return false;
  const std::string_view title = between(line);
  return unicode::character_count(title) >= 2 && title.front() != '=' && title.back() != '=';
}

bool is_wikitext_section(std::string_view line) {
  return encloses(line, kSection, kSection);
}

std::string_view wikitext_title(std::string_view line) {
  return strip(between(line));
}

}  // namespace bertprep
