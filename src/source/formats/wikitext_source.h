// WikitextSource: the WikiText-2 and WikiText-103 files, tokenised or raw.
//
// An article begins at a title between blank lines (or ends of the file); a line that looks like a title elsewhere is
// text. Section headings are left out; the other lines, detokenized if requested, and stripped, are joined by a blank.
// Text before the first title is an article without title; a title without text is skipped.
//
// As it is, an article is all lines from its title to the next one's, each with its line feed.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "bertprep/source/open_source.h"
#include "source/formats/sentences_source.h"
#include "source/input/article_limit.h"
#include "source/input/deferred_work.h"

namespace bertprep {

// What the lines of a WikiText file are: headings of the first level, deeper headings, text.

// " = Title = " with a title of two characters or more that neither begins nor ends with '='. Such a line is
// the heading of an article only between blank lines.
bool looks_like_wikitext_title(std::string_view line);

// " = = Section = = " and deeper.
bool is_wikitext_section(std::string_view line);

// The title within a line that looks like one.
std::string_view wikitext_title(std::string_view line);

// What becomes of the lines.
struct WikitextLines {
  Detokenization detokenize = Detokenization::kNone;
  bool as_is = false;
};

class WikitextSource final : public DeferredSource {
 public:
  explicit WikitextSource(TextInput input, const ArticleLimit& limit = {}, const WikitextLines& rule = {})
      : lines_(std::move(input), limit.bytes()),
        limit_(limit),
        detokenizes_(rule.detokenize == Detokenization::kWikitext),
        as_is_(rule.as_is) {}

  bool read(SourceDocument& document) override;

 private:
  bool next_line(std::string_view& line);
  bool ends_before_blank_line();
  void begin_article(SourceDocument& document);
  // What a line adds to the text of its article; valid until the next call.
  std::string_view paragraph_of(std::string_view line);

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

// Detokenizing WikiText: blanks around punctuation, and marks such as " @-@ ", become the original text.
//
// The rules, their order and their errors are those of Mistral's preparation of GPT-2's corpora (stanford-crfm/mistral,
// src/corpora/detokenization.py), which follow Megatron-LM's.

// Detokenizes `row`, valid UTF-8: a line, with or without its line feed, independent of other lines.
void detokenize_wikitext(std::string& row);

}  // namespace bertprep
