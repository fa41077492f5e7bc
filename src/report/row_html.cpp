#include "report/row_html.h"

#include <algorithm>

#include "base/number_text.h"
#include "report/html.h"

namespace bertprep {
namespace {

constexpr std::size_t kMostTokens = 1024;

std::string token_html(const ShownToken& token) {
  const std::string piece = escaped(token.piece);
  const std::string original = element("b", "", escaped(token.original));
  switch (token.part) {
    case TokenPart::kText:
      return piece;
    case TokenPart::kSpecial:
      return element("span", "x", piece);
    case TokenPart::kMasked:
      return element("span", "m", element("i", "", piece) + " " + original);
    case TokenPart::kReplaced:
      return element("span", "r", element("i", "", piece) + " " + original);
    case TokenPart::kKept:
      return element("span", "e", original);
  }
  return piece;
}

std::string segment_html(std::int64_t segment, const std::string& tokens) {
  return "<p class=\"" + std::string(segment == 0 ? "sa" : "sb") + "\" dir=\"auto\">" + tokens + "</p>";
}

}  // namespace

std::string row_html(const ShownRow& row, const std::string& place) {
  std::string facts = element("b", "", escaped(place));
  if (row.next_sentence)
    facts += element("span", "", "next sentence: " + escaped(next_sentence_text(*row.next_sentence)));
  facts +=
      element("span", "", escaped(counted(row.tokens.size(), "token") + ", " + grouped(row.padding) + " of padding"));
  std::string segments;
  std::string tokens;
  const std::size_t count = std::min(row.tokens.size(), kMostTokens);
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0 && row.tokens[i].segment != row.tokens[i - 1].segment) {
      segments += segment_html(row.tokens[i - 1].segment, tokens);
      tokens.clear();
    }
    tokens += (tokens.empty() ? "" : " ") + token_html(row.tokens[i]);
  }
  if (count < row.tokens.size()) {
    tokens += " " + element("span", "x", "… and " + escaped(counted(row.tokens.size() - count, "token")) + " more");
  }
  if (count > 0) segments += segment_html(row.tokens[count - 1].segment, tokens);
  return element("article", "card row", element("header", "", facts) + segments) + "\n";
}

std::string row_key_html() {
  const auto key = [](const ShownToken& token, const char* meaning) {
    return element("li", "", token_html(token) + " " + meaning);
  };
  return element("ul", "key row",
                 element("li", "", element("span", "sa", "&nbsp;A&nbsp;") + " first segment") +
                     element("li", "", element("span", "sb", "&nbsp;B&nbsp;") + " second segment") +
                     key({"[MASK]", "word", TokenPart::kMasked}, "hidden, to predict") +
                     key({"other", "word", TokenPart::kReplaced}, "replaced by another, to predict") +
                     key({"word", "word", TokenPart::kKept}, "left as it is, to predict")) +
         "\n";
}

}  // namespace bertprep
