#include "row_text.h"
#include "console/status_line.h"

#include <unistd.h>

#include <numeric>
#include <system_error>
#include <vector>

#include "base/number_text.h"
#include "console/console.h"
#include "console/json_event.h"
#include "io/json.h"
#include "unicode/utf8_text.h"

namespace bertprep::cli {
namespace {

constexpr const char* kPlainText = "\033[0m";

// Colours of the terminal's own palette, so that they suit its background.
const char* colour_of(TokenPart part) {
  switch (part) {
    case TokenPart::kSpecial:
      return "\033[2m";
    case TokenPart::kMasked:
      return "\033[1;33m";
    case TokenPart::kReplaced:
      return "\033[1;35m";
    case TokenPart::kKept:
      return "\033[1;32m";
    case TokenPart::kText:
      break;
  }
  return "";
}

std::string coloured(const std::string& text, const char* colour, bool has_colours) {
  return has_colours && *colour != 0 ? colour + text + kPlainText : text;
}

std::string segment(const ShownRow& row, std::int64_t number, bool has_colours) {
  std::string text;
  for (const ShownToken& token : row.tokens) {
    if (token.segment == number) text += " " + coloured(token.piece, colour_of(token.part), has_colours);
  }
  return text;
}

std::string masked(const ShownRow& row, bool has_colours) {
  std::string text;
  for (std::size_t i = 0; i < row.tokens.size(); ++i) {
    const ShownToken& token = row.tokens[i];
    if (token.original.empty()) continue;
    text += " " + std::to_string(i) + ":" + coloured(token.original, colour_of(token.part), has_colours);
  }
  return text;
}

std::string instance_text(const ShownRow& row, bool has_colours) {
  const std::string label = next_sentence_text(*row.next_sentence);
  const char* colour = row.next_sentence == 1 ? "\033[35m" : "\033[32m";
  return "  next sentence: " + coloured(label, colour, has_colours) + "\n  A:" + segment(row, 0, has_colours) +
         "\n  B:" + segment(row, 1, has_colours) + "\n  masked:" + masked(row, has_colours) + "\n";
}

// A bar before each line shows where it begins, and blanks at its start.
std::string sequence_text(const ShownRow& row, bool has_colours) {
  std::string text;
  for (const TextRun& run : text_runs(row, row.tokens.size())) {
    text += run.is_control ? coloured(run.text, colour_of(TokenPart::kSpecial), has_colours) : run.text;
  }
  replace_all(text, "\n", "\n  |");
  return "  " + counted(row.tokens.size(), "token") + "\n  |" + text + "\n";
}

std::vector<std::int32_t> segment_ids_of(const Batch& batch, const ShardShape& shape, std::int8_t number) {
  std::vector<std::int32_t> ids;
  for (std::size_t i = 0; i < shape.seq_len; ++i) {
    if (batch.input_mask[i] != 0 && batch.segment_ids[i] == number) ids.push_back(batch.input_ids[i]);
  }
  return ids;
}

// `prefix`: "a_" for "a_ids" and "a_pieces".
void add_tokens(const std::string& prefix, const std::vector<std::int32_t>& ids, const Vocab* vocab, JsonEvent& event) {
  event.numbers(prefix + "ids", ids);
  if (vocab == nullptr) return;
  std::vector<std::string> pieces;
  for (const std::int32_t id : ids) pieces.push_back(piece_text(id, vocab));
  event.texts(prefix + "pieces", pieces);
}

void add_instance(const Batch& batch, const ShardShape& shape, const Vocab* vocab, JsonEvent& event) {
  std::vector<std::int32_t> positions;
  std::vector<std::int32_t> originals;
  for (std::size_t i = 0; i < shape.max_predictions && batch.masked_lm_positions[i] != 0; ++i) {
    positions.push_back(batch.masked_lm_positions[i]);
    originals.push_back(batch.masked_lm_ids[i]);
  }
  event.number("next_sentence_label", batch.next_sentence_labels.front() != 0 ? 1 : 0);
  add_tokens("a_", segment_ids_of(batch, shape, 0), vocab, event);
  add_tokens("b_", segment_ids_of(batch, shape, 1), vocab, event);
  event.numbers("masked_positions", positions);
  add_tokens("masked_", originals, vocab, event);
}

void add_sequence(const InspectedRows& rows, JsonEvent& event) {
  std::string numbers;
  for (const std::int64_t id : rows.ids()) numbers += (numbers.empty() ? "" : ",") + std::to_string(id);
  event.json("ids", "[" + numbers + "]");
  const std::vector<std::string> pieces = rows.pieces();
  if (rows.has_words() && !rows.are_text()) event.texts("pieces", pieces);
  if (rows.are_text()) event.text("text", std::accumulate(pieces.begin(), pieces.end(), std::string()));
}

std::string piece(std::int32_t id, const Vocab& vocab) {
  return std::string(vocab.piece(id));
}

// " 5 28 37", " 38:dog" if the pieces are random.
std::string masks_text(const ExplainedRow& row, MaskedAs as, const Vocab& vocab) {
  std::string text;
  for (const ExplainedMask& mask : row.masks) {
    if (mask.as != as) continue;
    text += " " + std::to_string(mask.position);
    if (as == MaskedAs::kRandom) text += ":" + piece(mask.shown, vocab);
  }
  return text.empty() ? " none" : text;
}

std::string next_text(NextSentence next) {
  switch (next) {
    case NextSentence::kFollowing:
      return "B follows A in the article";
    case NextSentence::kOtherArticle:
      return "B was drawn from another article";
    case NextSentence::kSameArticle:
      break;
  }
  return "B was drawn, but ten times from the article of A, and counts as following";
}

// As typed in the current folder.
std::string shown(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  const std::filesystem::path near = error ? path : path.lexically_proximate(here);
  return (near.empty() || *near.begin() == ".." ? path : near).string();
}

std::string member(const Json& origin, const char* name) {
  const Json* value = origin.find(name);
  return value == nullptr ? "" : value->text();
}

// 'Karl von Frisch', page 12, revision 7, https://…: FILE, line 5, byte 120
std::string origin_text(const Json& origin) {
  std::string text;
  const auto add = [&](const std::string& before, const std::string& value) {
    if (!value.empty()) text += (text.empty() ? "" : ", ") + before + value;
  };
  if (const std::string title = member(origin, "title"); !title.empty()) add("", "'" + title + "'");
  add("page ", member(origin, "page_id"));
  add("revision ", member(origin, "revision_id"));
  add("", member(origin, "timestamp"));
  add("", member(origin, "url"));
  add("", member(origin, "source"));
  add("line ", member(origin, "line"));
  add("byte ", member(origin, "byte"));
  return text;
}

std::string article_lines(const ArticleOrigin& article) {
  std::string text;
  if (!article.origin.empty()) text += "    " + origin_text(Json::parse(article.origin, "its origin")) + "\n";
  if (!article.formatted.empty()) {
    text += "    article " + grouped(article.number) + " of " + shown(article.formatted) + "\n";
  }
  if (!article.why_not.empty()) text += "    " + in_flags(article.why_not) + "\n";
  return text;
}

std::string segment_lines(const ExplainedSegment& segment, const std::filesystem::path& text_shard) {
  return article_lines(segment.article) + "    lines " + grouped(segment.first_line) + " to " +
         grouped(segment.last_line) + " of " + shown(text_shard) + "\n";
}

std::string sentence_lines(const ExplainedSegment& segment) {
  std::string text;
  for (const ExplainedSentence& sentence : segment.sentences) {
    text += "    " + std::to_string(sentence.line) + ": " + sentence.text;
    if (sentence.last_token - sentence.first_token != sentence.tokens) {
      text += " (tokens " + std::to_string(sentence.first_token + 1) + " to " + std::to_string(sentence.last_token) +
              " of " + std::to_string(sentence.tokens) + ")";
    }
    text += "\n";
  }
  return text;
}

Json article_json(const ArticleOrigin& article) {
  Json json = Json::object();
  if (!article.origin.empty()) json.add("origin", Json::parse(article.origin, "its origin"));
  if (!article.formatted.empty()) {
    json.add("formatted", Json::string(article.formatted.string())).add("article", Json::number(article.number));
  }
  if (!article.why_not.empty()) json.add("not_recorded", Json::string(in_flags(article.why_not)));
  return json;
}

Json segment_json(const ExplainedSegment& segment) {
  Json json = article_json(segment.article);
  json.add("first_line", Json::number(segment.first_line)).add("last_line", Json::number(segment.last_line));
  Json sentences = Json::array();
  for (const ExplainedSentence& sentence : segment.sentences) {
    sentences.push(Json::object()
                       .add("line", Json::number(sentence.line))
                       .add("text", Json::string(sentence.text))
                       .add("tokens", Json::number(sentence.tokens))
                       .add("first_token", Json::number(sentence.first_token))
                       .add("last_token", Json::number(sentence.last_token)));
  }
  return json.add("sentences", std::move(sentences)).add("cut_tokens", Json::number(segment.cut_tokens));
}

Json masks_json(const ExplainedRow& row, const Vocab& vocab) {
  Json masks = Json::array();
  for (const ExplainedMask& mask : row.masks) {
    const char* as = mask.as == MaskedAs::kMask ? "mask" : mask.as == MaskedAs::kSame ? "same" : "random";
    masks.push(Json::object()
                   .add("position", Json::number(mask.position))
                   .add("original", Json::string(piece(mask.original, vocab)))
                   .add("shown", Json::string(piece(mask.shown, vocab)))
                   .add("as", Json::string(as)));
  }
  return masks;
}

std::vector<std::string> pieces(const ExplainedRow& row, const Vocab& vocab) {
  std::vector<std::string> pieces;
  for (std::size_t i = 0; i < row.shape.seq_len && row.stored.input_mask[i] != 0; ++i) {
    pieces.push_back(piece(row.stored.input_ids[i], vocab));
  }
  return pieces;
}

}  // namespace

void print_row_event(std::size_t row, const InspectedRows& rows) {
  JsonEvent event("row");
  event.number("row", row);
  if (rows.content() == RowContent::kInstances) {
    add_instance(rows.batch(), rows.shape(), rows.vocab(), event);
  } else {
    add_sequence(rows, event);
  }
  event.print();
}

std::string row_text(const ShownRow& row, bool has_colours) {
  std::string text = row.is_text         ? sequence_text(row, has_colours)
                     : row.next_sentence ? instance_text(row, has_colours)
                                         : "  tokens:" + segment(row, 0, has_colours) + "\n";
  if (has_colours && row.padding > 0) {
    text += coloured("  padding: " + std::to_string(row.padding), colour_of(TokenPart::kSpecial), true) + "\n";
  }
  return text;
}

std::string explanation_text(const ExplainedRow& row, const std::filesystem::path& text_shard, const Vocab& vocab) {
  std::string text = row_text(shown_row(row.stored, &vocab), shows_colours(STDOUT_FILENO));
  text += "  masked by [MASK]:" + masks_text(row, MaskedAs::kMask, vocab) +
          "\n  left as they are:" + masks_text(row, MaskedAs::kSame, vocab) +
          "\n  by a random piece:" + masks_text(row, MaskedAs::kRandom, vocab) + "\n";
  text += "  made in pass " + grouped(row.pass) + " of " + grouped(row.passes) + " over the articles, aiming at " +
          counted(row.aimed_tokens, "token") + "; " + next_text(row.next) + "\n";
  const auto& [a, b] = row.segments;
  text += "  A comes from\n" + segment_lines(a, text_shard) + sentence_lines(a);
  text += a.first_line == b.first_line ? "  B comes from the same article\n"
                                       : "  B comes from\n" + segment_lines(b, text_shard);
  text += sentence_lines(b);
  const std::size_t cut = a.cut_tokens + b.cut_tokens;
  if (cut > 0) text += "  cut to fit: " + counted(cut, "token") + " at the ends of A and B\n";
  return text;
}

void print_explanation_event(const ExplainedRow& row, const std::filesystem::path& shard,
                             const std::filesystem::path& text_shard, const Vocab& vocab) {
  const char* next = row.next == NextSentence::kFollowing      ? "following"
                     : row.next == NextSentence::kOtherArticle ? "other-article"
                                                               : "same-article";
  JsonEvent("explanation")
      .text("file", shard.string())
      .number("row", row.row)
      .texts("pieces", pieces(row, vocab))
      .number("next_sentence_label", row.stored.next_sentence_labels.front() != 0 ? 1 : 0)
      .text("next", next)
      .json("masked", masks_json(row, vocab).dump_line())
      .number("pass", row.pass)
      .number("passes", row.passes)
      .number("aimed_tokens", row.aimed_tokens)
      .text("text_shard", text_shard.string())
      .json("a", segment_json(row.segments[0]).dump_line())
      .json("b", segment_json(row.segments[1]).dump_line())
      .print();
}

std::string explanation_text(const ShownRow& row, const ExplainedSequence& explained) {
  std::string text = row_text(row, shows_colours(STDOUT_FILENO));
  for (const ExplainedDocument& document : explained.documents) {
    text += "  from token " + grouped(document.begin + 1) + " on, tokens " + grouped(document.first_token + 1) +
            " to " + grouped(document.last_token) + " of " + grouped(document.tokens) + " of\n" +
            article_lines(document.article) + "    line " + grouped(document.line) + " of " +
            shown(explained.text_shard) + "\n";
  }
  return text;
}

void print_explanation_event(std::size_t number, const ShownRow& row, const ExplainedSequence& explained,
                             const std::filesystem::path& set) {
  JsonEvent event("explanation");
  std::vector<std::string> pieces;
  std::string text;
  for (const ShownToken& token : row.tokens) text += pieces.emplace_back(token.piece);
  Json documents = Json::array();
  for (const ExplainedDocument& document : explained.documents) {
    Json json = article_json(document.article);
    json.add("line", Json::number(document.line)).add("position", Json::number(document.begin));
    json.add("tokens", Json::number(document.tokens)).add("first_token", Json::number(document.first_token));
    documents.push(json.add("last_token", Json::number(document.last_token)));
  }
  event.text("file", set.string()).number("row", number).texts("pieces", pieces);
  if (row.is_text) event.text("text", text);
  event.text("text_shard", explained.text_shard.string()).json("documents", documents.dump_line()).print();
}

}  // namespace bertprep::cli
