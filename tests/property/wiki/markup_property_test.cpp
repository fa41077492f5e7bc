// Every stage of markup against its plain twin: on all short sequences of its special cases, and on long random ones.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "support/sanitized.h"
#include "twins/markup.h"
#include "unicode/properties/properties.h"
#include "wiki/article_extractor.h"
#include "wiki/markup/elements.h"
#include "wiki/markup/entities.h"
#include "wiki/markup/line_filter.h"
#include "wiki/markup/links.h"
#include "wiki/markup/placeholders.h"
#include "wiki/markup/quotes.h"

namespace bertprep {
namespace {

namespace plain = test::plain_markup;
using Parts = std::vector<std::string>;
using Stage = std::function<std::string(const std::string&)>;

class MarkupProperty : public testing::Test {
 protected:
  // All sequences of up to `most` parts (of the longest, some under a sanitizer), then random ones; stops at the first
  // text with different results.
  void compare(const Stage& fast, const Stage& slow, const Parts& parts, std::size_t most, int random_texts = 300) {
    std::vector<std::size_t> digits;
    std::size_t longest = 0;
    for (bool same = true; same && digits.size() <= most;) {
      std::string text;
      for (const std::size_t digit : digits) text += parts[digit];
      const bool is_left_out = test::kSanitized && digits.size() == most && longest++ % 5 != 0;
      same = is_left_out || agree(fast, slow, text);
      std::size_t i = 0;
      while (i < digits.size() && ++digits[i] == parts.size()) digits[i++] = 0;
      if (i == digits.size()) digits.push_back(0);
    }
    std::mt19937 draws(1);
    for (int round = 0; round < random_texts; ++round) {
      std::string text;
      for (std::size_t i = draws() % 60; i > 0; --i) text += parts[draws() % parts.size()];
      if (!agree(fast, slow, text)) return;
    }
  }

  static bool agree(const Stage& fast, const Stage& slow, const std::string& text) {
    const std::string expected = slow(text), got = fast(text);
    EXPECT_EQ(got, expected) << "of " << testing::PrintToString(text);
    return got == expected;
  }

  // The result of a stage that returns whether it changed something.
  template <typename Function>
  static Stage stage(Function function) {
    return [function](const std::string& text) {
      std::string out;
      return function(text, out) ? out : text;
    };
  }

  const unicode::WordCharacters words_;
  std::vector<MarkupSpan> spans_;
  std::string spare_;
};

TEST_F(MarkupProperty, NestedDrop) {
  compare(stage([this](const std::string& in, std::string& out) {
            return drop_nested(DropPair::kTemplates, in, spans_, out);
          }),
          plain::drop_templates, {"{", "{{", "}}", "}", "a"}, 6);
  compare(stage([this](const std::string& in, std::string& out) {
            return drop_nested(DropPair::kTables, in, spans_, out);
          }),
          plain::drop_tables, {"{|", "|}", "|", "a"}, 7);
}

TEST_F(MarkupProperty, Quotes) {
  Quotes quotes;
  const auto fast = stage([&](const std::string& in, std::string& out) { return quotes.replace(in, out); });
  compare(fast, plain::replace_quotes, {"'", "''", "'''", "x", "\n"}, 6);
  compare(fast, plain::replace_quotes, {"'", "''", "\"", "x", "\n"}, 6);
  compare(fast, plain::replace_quotes, {"'''''", "''", "a", "\n", "'", "\""}, 5);
}

TEST_F(MarkupProperty, InternalLinks) {
  InternalLinks links;
  const auto fast = stage([&](const std::string& in, std::string& out) { return links.replace(in, out); });
  compare(fast, plain::replace_internal_links, {"[[", "]]", "|", "[", "]", "a"}, 6);
  compare(fast, plain::replace_internal_links, {"[[", "]]", "|", ":", "w", " "}, 6);
  compare(fast, plain::replace_internal_links, {"[[", "]]", "|", "[[a|b]]", "wikt", ":", "c", "\n"}, 5);
}

TEST_F(MarkupProperty, ExternalLinks) {
  const auto fast = stage([](const std::string& in, std::string& out) { return replace_external_links(in, out); });
  compare(fast, plain::replace_external_links, {"[", "//", "a", " ", "]", "\n"}, 6);
  compare(fast, plain::replace_external_links, {"[http://", "[[", "]]", "a", "\"", "\t", "]"}, 5);
  compare(fast, plain::replace_external_links, {"[SIP:", "[tel:", " http://a/b.png", " http://a", "/.gif", "]", "\x7F"},
          5);
}

TEST_F(MarkupProperty, Switches) {
  compare(stage([](const std::string& in, std::string& out) { return drop_switches(in, out); }), plain::drop_switches,
          {"_", "__", "TOC", "NO", "INDEX", "NONEWSECTIONLINK"}, 6);
}

TEST_F(MarkupProperty, Unescape) {
  const auto fast = stage([this](const std::string& in, std::string& out) { return unescape(in, words_, out); });
  compare(fast, plain::unescape, {"&", "amp", "lt", ";", "#", "65", "x", "_"}, 5);
  const auto around =
      stage([this](const std::string& in, std::string& out) { return unescape_around_code(in, words_, out); });
  compare(around, plain::unescape_around_code,
          {"&lt;syntaxhighlight ", "&lt;/syntaxhighlight&gt;", "&gt;", "&amp;", "\n", "a"}, 5);
}

TEST_F(MarkupProperty, Spans) {
  const auto fast = stage([this](const std::string& in, std::string& out) { return drop_spans(in, words_, out); });
  compare(fast, plain::drop_spans, {"<", "br", "/", ">", " ", "!--", "-->"}, 4);
  compare(fast, plain::drop_spans, {"<!--", "-->", "<br", "/>", "<B", ">", "</b", "x"}, 4);
  compare(fast, plain::drop_spans, {"<ref", "erences", "< hr", "/", " ", ">", "</ span>"}, 4);
}

TEST_F(MarkupProperty, Elements) {
  Elements elements;
  const auto fast = stage([&](const std::string& in, std::string& out) { return elements.drop(in, words_, out); });
  compare(fast, plain::drop_elements, {"<ref>", "</ref>", "<sub>", "</sub>", "<re", "f>", "a"}, 4);
  compare(fast, plain::drop_elements, {"<div", "</div>", ">", "/", " ", "<"}, 4);
  compare(fast, plain::drop_elements, {"<t", "r>", "</TR>", "<table x>", "< / table>", "able>"}, 4);
}

TEST_F(MarkupProperty, Placeholders) {
  constexpr std::size_t kPadding = 2'000;
  Placeholders placeholders;
  const auto fast = stage([&](const std::string& in, std::string& out) {
    // Short texts get the budget of long ones, so that the stage does not give up.
    const std::string padded = in + std::string(kPadding, 'x');
    const Rewrite rewrite = placeholders.replace(padded, out);
    EXPECT_NE(rewrite, Rewrite::kGivenUp);
    if (rewrite == Rewrite::kGivenUp) return false;
    if (rewrite == Rewrite::kChanged) out.resize(out.size() - kPadding);
    return rewrite == Rewrite::kChanged;
  });
  compare(fast, plain::replace_placeholders, {"<math>", "</math>", "x", "<math", " ", ">"}, 4);
  compare(fast, plain::replace_placeholders, {"<math>", "</math>", "formula_1", "<code>", "</code >", "a"}, 4);
  compare(fast, plain::replace_placeholders, {"<math>x</math>", "<math>", "</math>", "formula_1", "<math formula_2"},
          5);
}

TEST_F(MarkupProperty, CharacterRuns) {
  const auto runs = stage([](const std::string& in, std::string& out) { return shorten_runs(in, out); });
  compare(runs, plain::shorten_runs, {" ", "\t", "a", ".", "<", ">"}, 6);
  compare(runs, plain::shorten_runs, {"  ", " ", "\t", "a", "...", "<<"}, 5);
  const auto brackets =
      stage([this](const std::string& in, std::string& out) { return close_up_brackets(in, spare_, out); });
  compare(brackets, plain::close_up_brackets, {" ,:.)]\u00BB", "[(\u00AB ", " ,:", ".)]", "\u00BB", "[(\u00AB"}, 5);
  const auto commas =
      stage([this](const std::string& in, std::string& out) { return shorten_commas(in, spare_, out); });
  compare(commas, plain::shorten_commas, {",", ".", "a", "\n"}, 7);
}

TEST_F(MarkupProperty, NonwordLines) {
  compare(stage([this](const std::string& in, std::string& out) { return drop_nonword_lines(in, words_, out); }),
          plain::drop_nonword_lines, {"\n", "-", "a", " ", "_", "\u00BB"}, 6);
}

TEST_F(MarkupProperty, LineFilter) {
  compare(
      [](const std::string& in) {
        std::string lines;
        filter_lines(in, lines);
        return lines;
      },
      plain::filter_lines, {"\n", "==", "=", "*", ":", "++", " ", "a", "(", ")", ".", "}", "!", "|"}, 4);
}

TEST_F(MarkupProperty, WholeArticles) {
  WikiOptions options;
  options.no_templates = true;
  ArticleExtractor extractor(options, std::make_shared<const WikiSite>(), nullptr);
  const auto fast = [&](const std::string& in) {
    std::string lines;
    WikiPage page;
    page.text = in;
    EXPECT_FALSE(extractor.extract(page, lines));
    return lines;
  };
  compare(fast, plain::lines_of,
          {"\n",
           "\n",
           "a b",
           "word",
           " ",
           "{{",
           "}}",
           "{|",
           "|}",
           "|",
           "''",
           "'''",
           "[[",
           "]]",
           ":",
           "[http://x ",
           "]",
           "__TOC__",
           "&lt;ref&gt;",
           "&lt;/ref&gt;",
           "&lt;br/&gt;",
           "&lt;!--",
           "--&gt;",
           "&amp;",
           "lt;",
           "&quot;",
           "&lt;b&gt;",
           "&lt;math&gt;",
           "&lt;/math&gt;",
           "== h ==",
           "*",
           "...",
           ",",
           "(",
           ")",
           "  "},
          2);
}

}  // namespace
}  // namespace bertprep
