#include <unistd.h>

#include <cstdio>

#include "console/process.h"
#include "io/json.h"
#include "options/command.h"
#include "pipeline/explain/explain.h"
#include "report/inspected_rows.h"
#include "row_text.h"
#include "unicode/ascii.h"

namespace bertprep::cli {
namespace {

namespace fs = std::filesystem;

// Rows of a shard: from `first` up to but not including `last`.
struct RequestedRows {
  fs::path path;  // a shard, or a folder
  std::size_t first = 0;
  std::size_t last = 0;
};

bool exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// SHARD:ROW or SHARD:A:B. A name may also contain colons.
RequestedRows parse(const std::string& text) {
  const auto number = [](const std::string& digits) { return static_cast<std::size_t>(parse_integer("row", digits)); };
  const std::size_t colon = text.rfind(':');
  const std::string last = colon == std::string::npos ? "" : text.substr(colon + 1);
  const std::string before = text.substr(0, colon);
  if (before.empty()) throw ConfigError("names no shard", text, "give one before the colon, such as data:0");
  if (!is_ascii_digits(last)) {
    throw ConfigError("no row is given", text, "give it after a colon, counted from 0: " + text + ":0");
  }
  const std::size_t other = before.rfind(':');
  if (!exists(before) && other != std::string::npos && is_ascii_digits(before.substr(other + 1))) {
    RequestedRows rows{before.substr(0, other), number(before.substr(other + 1)), number(last)};
    if (rows.first >= rows.last) throw ConfigError("holds no row", text, "the first number is below the second");
    return rows;
  }
  const std::size_t row = number(last);
  return {before, row, row + 1};
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

// In the order of NextSentence.
struct NextTexts {
  const char* name;
  const char* text;
};
constexpr NextTexts kNextTexts[] = {
    {"following", "B follows A in the article"},
    {"other-article", "B was drawn from another article"},
    {"same-article", "B was drawn, but ten times from the article of A, and counts as following"}};
static_assert(std::size(kNextTexts) == static_cast<std::size_t>(NextSentence::kSameArticle) + 1);

const NextTexts& texts_of(NextSentence next) {
  return kNextTexts[static_cast<std::size_t>(next)];
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
    json.add("formatted", article.formatted.string()).add("article", article.number);
  }
  if (!article.why_not.empty()) json.add("not_recorded", in_flags(article.why_not));
  return json;
}

Json segment_json(const ExplainedSegment& segment) {
  Json json = article_json(segment.article);
  json.add("first_line", segment.first_line).add("last_line", segment.last_line);
  const auto sentence_json = [](const ExplainedSentence& sentence) {
    return Json::object({{"line", sentence.line},
                         {"text", sentence.text},
                         {"tokens", sentence.tokens},
                         {"first_token", sentence.first_token},
                         {"last_token", sentence.last_token}});
  };
  return json.add("sentences", Json::array_of(segment.sentences, sentence_json)).add("cut_tokens", segment.cut_tokens);
}

Json masks_json(const ExplainedRow& row, const Vocab& vocab) {
  return Json::array_of(row.masks, [&](const ExplainedMask& mask) {
    const char* as = mask.as == MaskedAs::kMask ? "mask" : mask.as == MaskedAs::kSame ? "same" : "random";
    return Json::object({{"position", mask.position},
                         {"original", piece(mask.original, vocab)},
                         {"shown", piece(mask.shown, vocab)},
                         {"as", as}});
  });
}

std::vector<std::string> pieces(const ExplainedRow& row, const Vocab& vocab) {
  std::vector<std::string> pieces;
  for (std::size_t i = 0; i < row.shape.seq_len && row.stored.input_mask[i] != 0; ++i) {
    pieces.push_back(piece(row.stored.input_ids[i], vocab));
  }
  return pieces;
}

// Lines for the row as `inspect` shows it, how its tokens are masked, and the articles and sentences of A and B.
std::string explanation_text(const ExplainedRow& row, const std::filesystem::path& text_shard, const Vocab& vocab) {
  std::string text = row_text(shown_row(row.stored, &vocab), shows_colours(STDOUT_FILENO));
  text += "  masked by [MASK]:" + masks_text(row, MaskedAs::kMask, vocab) +
          "\n  left as they are:" + masks_text(row, MaskedAs::kSame, vocab) +
          "\n  by a random piece:" + masks_text(row, MaskedAs::kRandom, vocab) + "\n";
  text += "  made in pass " + grouped(row.pass) + " of " + grouped(row.passes) + " over the articles, aiming at " +
          counted(row.aimed_tokens, "token") + "; " + texts_of(row.next).text + "\n";
  const auto& [a, b] = row.segments;
  text += "  A comes from\n" + segment_lines(a, text_shard) + sentence_lines(a);
  text += a.first_line == b.first_line ? "  B comes from the same article\n"
                                       : "  B comes from\n" + segment_lines(b, text_shard);
  text += sentence_lines(b);
  const std::size_t cut = a.cut_tokens + b.cut_tokens;
  if (cut > 0) text += "  cut to fit: " + counted(cut, "token") + " at the ends of A and B\n";
  return text;
}

// The same as an event (docs/formats/events.md).
void print_explanation_event(const ExplainedRow& row, const std::filesystem::path& shard,
                             const std::filesystem::path& text_shard, const Vocab& vocab) {
  JsonEvent event("explanation");
  event.text("file", shard.string()).number("row", row.row).texts("pieces", pieces(row, vocab));
  event.number("next_sentence_label", row.stored.next_sentence_labels.front() != 0 ? 1 : 0)
      .text("next", texts_of(row.next).name);
  event.json("masked", masks_json(row, vocab).dump_line()).number("pass", row.pass);
  event.number("passes", row.passes).number("aimed_tokens", row.aimed_tokens);
  event.text("text_shard", text_shard.string()).json("a", segment_json(row.segments[0]).dump_line());
  event.json("b", segment_json(row.segments[1]).dump_line()).print();
}

// The same of a token sequence: the row as `inspect` shows it, and its documents.
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
    json.add("line", document.line).add("position", document.begin);
    json.add("tokens", document.tokens).add("first_token", document.first_token);
    documents.push(json.add("last_token", document.last_token));
  }
  event.text("file", set.string()).number("row", number).texts("pieces", pieces);
  if (row.is_text) event.text("text", text);
  event.text("text_shard", explained.text_shard.string()).json("documents", documents.dump_line()).print();
}

class ExplainCommand final : public Command {
 public:
  explicit ExplainCommand(CLI::App& self) : Command(self) {
    refuse_addresses(
        add_argument("shard", requested_, "SHARD:ROW",
                     "a shard or a set of token sequences, and the number of a row in it, counted from 0; A:B "
                     "are rows from A up to but not including B; a folder stands for its first shard",
                     Dash::kRefused))
        ->required();
    add_option("--rows", rows_, "A:B", OptionGroup::kRows, "the rows, A or A:B, of shards given without any");
    const std::string text = heading(OptionGroup::kText);
    add_option("--work", place_.work, "DIR", OptionGroup::kOutput,
               "the work folder of the run (default: the recorded one, else $BERT_PREP_WORKING_DIR, else bertprep-work "
               "beside the output)");
    add_option("--text", place_.text, "PATH", OptionGroup::kText,
               "the text shard, or the folder of the text shards, if no run made them");
    add_option("--vocab", vocab_, "VOCAB", OptionGroup::kText,
               "the vocabulary that the shard was made with: a file, or a name that 'bertprep vocab list' shows "
               "(default: the one that the manifest beside the shard names, if found)",
               Dash::kRefused);
  }

  int run(Console& console) override {
    end_at_signals();  // writes no files, and the reader of stdout may have stopped
    for (const std::string& requested : requested_) {
      const RequestedRows asked = parse(rows_.empty() ? requested : requested + ":" + rows_);
      InspectedRows rows(asked.path, console);
      require_rows(asked, rows.shape().rows);
      rows.content() == RowContent::kTokens ? explain_sequences(asked, rows, console) : explain(asked, rows, console);
    }
    return kDone;
  }

 private:
  void explain(const RequestedRows& asked, InspectedRows& rows, Console& console) const {
    const fs::path& shard = rows.path();
    require_explainable(shard);
    rows.find_words(vocab_, console);
    if (rows.vocab() == nullptr) {
      throw FormatError("its vocabulary is not found, without which its rows can't be made again", shard,
                        "give it with --vocab");
    }
    ShardExplainer explainer(shard, *rows.vocab(), place_, console);
    for (std::size_t row = asked.first; row < asked.last; ++row) {
      if (console.cancelled()) throw Cancelled();
      const ExplainedRow explained = explainer.explain(row);
      if (console.options().json) {
        print_explanation_event(explained, shard, explainer.text_shard(), *rows.vocab());
      } else {
        std::printf("%s: row %zu\n%s", shard.c_str(), row,
                    explanation_text(explained, explainer.text_shard(), *rows.vocab()).c_str());
      }
    }
  }

  void explain_sequences(const RequestedRows& asked, InspectedRows& rows, Console& console) const {
    SequenceExplainer explainer(rows.path(), place_, console);
    rows.find_words(vocab_, console);
    for (std::size_t row = asked.first; row < asked.last; ++row) {
      if (console.cancelled()) throw Cancelled();
      const ExplainedSequence explained = explainer.explain(row);
      rows.read(row);
      if (console.options().json) {
        print_explanation_event(row, rows.shown(), explained, rows.path());
      } else {
        std::printf("%s: row %zu\n%s", rows.path().c_str(), row, explanation_text(rows.shown(), explained).c_str());
      }
    }
  }

  // Checked before searching for the text.
  static void require_rows(const RequestedRows& requested, std::size_t rows) {
    if (requested.last <= rows) return;
    throw FormatError("there is no row " + std::to_string(requested.last - 1), requested.path,
                      "it has " + counted(rows, "row") + ", counted from 0");
  }

  std::vector<std::string> requested_;
  std::string rows_;
  TextPlace place_;
  std::string vocab_;
};

}  // namespace

extern const CommandEntry kExplainCommand{"explain", make_command<ExplainCommand>};

}  // namespace bertprep::cli
