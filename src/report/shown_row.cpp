#include "report/shown_row.h"

#include <algorithm>

#include "base/number_text.h"
#include "report/html.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr std::size_t kMaxTokens = 1024;

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

std::string text_html(const ShownRow& row) {
  std::string html;
  for (const TextRun& run : text_runs(row, kMaxTokens)) {
    html += run.is_control ? element("span", "x", escaped(run.text)) : escaped(run.text);
  }
  return html;
}

std::string segment_html(std::int64_t segment, const std::string& tokens) {
  return "<p class=\"" + std::string(segment == 0 ? "sa" : "sb") + "\" dir=\"auto\">" + tokens + "</p>";
}

}  // namespace

std::size_t tokens_of(const RowView& row) {
  if (row.mask.empty()) return row.ids.size();
  if (const auto ones = row.mask_ones ? row.mask_ones : find_ones(row.mask)) return std::min(ones->end, row.ids.size());
  // With gaps or invalid values: up to the last token.
  const auto last = std::find_if(row.mask.rbegin(), row.mask.rend(), [](std::int64_t value) { return value != 0; });
  return std::min(static_cast<std::size_t>(row.mask.rend() - last), row.ids.size());
}

std::string piece_text(std::int64_t id, const Vocab* vocab) {
  if (vocab == nullptr) return std::to_string(id);
  if (id < 0 || static_cast<std::size_t>(id) >= vocab->size()) return "<" + std::to_string(id) + ">";
  return std::string(vocab->piece(static_cast<TokenId>(id)));
}

ShownRow shown_row(const RowView& row, const Vocab* vocab, std::optional<std::int64_t> mask) {
  const std::size_t length = tokens_of(row);
  ShownRow shown{.tokens = {}, .padding = row.ids.size() - length, .next_sentence = row.next_sentence};
  if (vocab != nullptr) mask = vocab->mask();
  for (std::size_t i = 0; i < length; ++i) {
    const std::int64_t id = row.ids[i];
    const bool is_special = vocab != nullptr && (id == vocab->cls() || id == vocab->sep() || id == vocab->pad());
    shown.tokens.push_back({piece_text(id, vocab),
                            {},
                            is_special ? TokenPart::kSpecial : TokenPart::kText,
                            i < row.segments.size() ? row.segments[i] : 0});
  }
  for_each_prediction(row, [&](std::int64_t position, std::int64_t original) {
    if (position < 0 || static_cast<std::size_t>(position) >= length) return;
    const std::int64_t id = row.ids[static_cast<std::size_t>(position)];
    ShownToken& token = shown.tokens[static_cast<std::size_t>(position)];
    token.original = piece_text(original, vocab);
    token.part = id == original ? TokenPart::kKept : mask && id == *mask ? TokenPart::kMasked : TokenPart::kReplaced;
  });
  return shown;
}

ShownRow shown_row(const Batch& batch, const Vocab* vocab) {
  const auto widened = [](const auto& values) { return std::vector<std::int64_t>(values.begin(), values.end()); };
  const auto ids = widened(batch.input_ids);
  const auto mask = widened(batch.input_mask);
  const auto segments = widened(batch.segment_ids);
  const auto positions = widened(batch.masked_lm_positions);
  const auto originals = widened(batch.masked_lm_ids);
  const RowView view{ids, mask, segments, positions, originals, {}, batch.next_sentence_labels.front()};
  return shown_row(view, vocab, std::nullopt);
}

ShownRow shown_row(const RowView& row, const TokenSpelling& spelling) {
  const std::size_t length = tokens_of(row);
  ShownRow shown{.tokens = {}, .padding = row.ids.size() - length, .next_sentence = {}, .is_text = true};
  for (const std::int64_t id : row.ids.first(length)) {
    shown.tokens.push_back(
        {spelling.bytes(id), {}, spelling.is_control(id) ? TokenPart::kSpecial : TokenPart::kText, 0});
  }
  return shown;
}

std::vector<TextRun> text_runs(const ShownRow& row, std::size_t tokens) {
  std::vector<TextRun> runs;
  std::string bytes;  // a character may be several tokens
  const auto end_text = [&] {
    if (!bytes.empty()) runs.push_back({visible_text(bytes), false});
    bytes.clear();
  };
  for (const ShownToken& token : std::span(row.tokens).first(std::min(tokens, row.tokens.size()))) {
    if (token.part != TokenPart::kSpecial) {
      bytes += token.piece;
      continue;
    }
    end_text();
    runs.push_back({visible_text(token.piece), true});
  }
  end_text();
  return runs;
}

std::string next_sentence_text(std::int64_t label) {
  if (label == 0) return "the following (0)";
  return label == 1 ? "random (1)" : std::to_string(label);
}

std::string row_html(const ShownRow& row, const std::string& place) {
  std::string facts = element("b", "", escaped(place));
  if (row.next_sentence)
    facts += element("span", "", "next sentence: " + escaped(next_sentence_text(*row.next_sentence)));
  facts +=
      element("span", "", escaped(counted(row.tokens.size(), "token") + ", " + grouped(row.padding) + " of padding"));
  std::string segments;
  std::string tokens;
  const std::size_t count = std::min(row.tokens.size(), kMaxTokens);
  for (std::size_t i = 0; i < count && !row.is_text; ++i) {
    if (i > 0 && row.tokens[i].segment != row.tokens[i - 1].segment) {
      segments += segment_html(row.tokens[i - 1].segment, tokens);
      tokens.clear();
    }
    tokens += (tokens.empty() ? "" : " ") + token_html(row.tokens[i]);
  }
  const std::string more =
      count == row.tokens.size()
          ? ""
          : " " + element("span", "x", "… and " + escaped(counted(row.tokens.size() - count, "token")) + " more");
  if (row.is_text) {
    segments = "<pre dir=\"auto\">" + text_html(row) + more + "</pre>";
  } else if (count > 0) {
    segments += segment_html(row.tokens[count - 1].segment, tokens + more);
  }
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
