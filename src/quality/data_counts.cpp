#include "quality/data_counts.h"

#include <algorithm>
#include <cmath>

#include "token/token_words.h"

namespace bertprep {
namespace {

constexpr std::size_t kUnknownWords = 10;

// In the order of records.
constexpr std::array<std::pair<const char*, std::uint64_t RowCounts::*>, 6> kRowNumbers{
    {{"rows", &RowCounts::rows},
     {"tokens", &RowCounts::tokens},
     {"random_next", &RowCounts::random_next},
     {"masked_as_mask", &RowCounts::masked_as_mask},
     {"masked_as_same", &RowCounts::masked_as_same},
     {"masked_as_random", &RowCounts::masked_as_random}}};

Json decimal_json(double value) {
  return Json::number_text(rounded(value));
}

Json duplicates_json(const DigestSample& sample) {
  return Json::object()
      .add("share", decimal_json(sample.repeated_share()))
      .add("repeated", Json::number(sample.repeated()))
      .add("compared", Json::number(sample.sampled()))
      .add("one_in", Json::number(std::uint64_t{1} << sample.level()));
}

Json scripts_json(const ScriptCounts& scripts) {
  const std::uint64_t all = scripts.letters();
  Json json = Json::object();
  for (const auto& [name, count] : scripts.by_name) {
    Json entry = Json::object().add("share", decimal_json(share_of(count.letters, all)));
    if (count.lost > 0) entry.add("lost_by_stripping", decimal_json(count.lost_share()));
    if (count.accented > 0) entry.add("accented", decimal_json(count.accented_share()));
    json.add(name, std::move(entry));
  }
  return json;
}

Json spread_json(const ShardSpread& spread) {
  Json json = Json::object().add("shards", Json::number(spread.rows.size()));
  if (!spread.rows.empty()) {
    json.add("rows", Json::number(spread.all_rows()))
        .add("least_rows", Json::number(spread.rows.front()))
        .add("median_rows", Json::number(spread.median_rows()))
        .add("most_rows", Json::number(spread.rows.back()));
  }
  return json.add("single_article", Json::number(spread.single_article));
}

// The expected ranges, explained in docs/formats/data.md.
constexpr double kMaxUnknown = 0.01;
constexpr double kMaxPiecesPerWord = 2.5;
constexpr double kMaxEmptySentences = 0.01;
constexpr double kMaxRejected = 0.01;
constexpr double kMaxDuplicateArticles = 0.01;
constexpr double kMaxDuplicateSentences = 0.2;
constexpr double kMaxLost = 0.02;
constexpr double kMaxAccented = 0.15;
constexpr double kMinScriptShare = 0.01;  // scripts with fewer of the letters are not checked
constexpr double kMaxPadding = 0.5;
constexpr double kMaxCut = 0.25;
constexpr double kMaxLoneSentences = 0.5;  // articles of one sentence
constexpr double kMinMaskedShare = 0.8;    // of the requested share
constexpr double kMinRandomNext = 0.35;
constexpr double kMaxRandomNext = 0.65;
constexpr double kTestShareFactor = 2;
constexpr double kRowsFactor = 2;
constexpr std::uint64_t kArticlesOfAShard = 8;
// Shares of small numbers say little.
constexpr std::uint64_t kMinWords = 1000;
constexpr std::uint64_t kMinArticles = 20;
constexpr std::uint64_t kMinRows = 100;
constexpr std::size_t kNamedWords = 5;

// Scripts whose sentences end with other signs than those of Europe, and the largest language of each.
constexpr std::pair<const char*, const char*> kOtherSentenceEnds[] = {
    {"Han", "zh"},     {"Hiragana", "ja"}, {"Katakana", "ja"}, {"Devanagari", "hi"},
    {"Bengali", "bn"}, {"Thai", "th"},     {"Khmer", "km"},    {"Myanmar", "my"},
    {"Arabic", "ar"},  {"Armenian", "hy"}, {"Ethiopic", "am"}, {"Tibetan", "bo"},
    {"Lao", "lo"},     {"Sinhala", "si"},  {"Oriya", "or"},    {"Gurmukhi", "pa"},
};

class Warnings {
 public:
  Warnings(const DataCounts& counts, const DataTargets& targets)
      : counts_(counts), text_(counts.text()), rows_(counts.rows()), training_(counts.training()), targets_(targets) {}

  std::vector<DataWarning> all() {
    if (rows_.rows == 0) return {};
    check_unknown();
    check_pieces();
    check_dropped();
    check_duplicates();
    check_scripts();
    check_padding();
    check_masks();
    check_random_next();
    check_cut();
    check_test_share();
    check_rows_of_shards();
    return std::move(warnings_);
  }

 private:
  void warn(const char* about, std::string text) { warnings_.push_back({about, std::move(text)}); }
  void warn(const char* about, double share, const std::string& text) { warn(about, percent(share) + text); }

  void check_unknown() {
    if (counts_.unknown_share() <= kMaxUnknown || text_.tokens < kMinWords) return;
    const std::string words = joined(text_.unknown_words.most_frequent(kNamedWords), ", ",
                                     [](const CountedWord& one) { return one.word + " (" + grouped(one.times) + ")"; });
    warn("unknown_share", counts_.unknown_share(),
         " of the tokens are [UNK]" + (words.empty() ? "" : ": " + words) +
             "; the model can't learn these words; choose a vocabulary for this text, or train one with 'bertprep "
             "vocab train'");
  }

  void check_pieces() {
    if (counts_.pieces_per_word() <= kMaxPiecesPerWord || text_.words < kMinWords) return;
    warn("pieces_per_word", "a word takes " + rounded(counts_.pieces_per_word(), 2) +
                                " pieces: the vocabulary was made for other text, and rows hold few words; choose a "
                                "vocabulary for this language and field, or train one with 'bertprep vocab train'");
  }

  void check_dropped() {
    const double empty = share_of(text_.empty_sentences, text_.sentences + text_.empty_sentences);
    if (empty > kMaxEmptySentences && text_.empty_sentences >= kMinArticles) {
      warn("dropped", empty,
           " of the sentences give no token and were dropped: they hold only control or white-space characters; look "
           "at the text, its encoding may be wrong");
    }
    const std::uint64_t rejected = counts_.rejected().total();
    if (static_cast<double>(rejected) <= kMaxRejected * static_cast<double>(rejected + text_.articles)) return;
    warn("dropped", counted(rejected, "record", "was", "were") + " rejected, against " +
                        counted(text_.articles, "article") + ": " + counts_.rejected().text() +
                        "; the rejects file names each of them");
  }

  void check_duplicates() {
    const DigestSample& articles = text_.article_digests;
    if (articles.repeated_share() > kMaxDuplicateArticles && text_.articles >= kMinArticles) {
      warn("duplicate_articles", articles.repeated_share(),
           " of the articles repeat an earlier one word for word: the model memorizes them, and test rows may be known "
           "from training; remove them from the input");
    }
    const DigestSample& sentences = text_.sentence_digests;
    if (sentences.repeated_share() > kMaxDuplicateSentences && text_.sentences >= kMinWords) {
      warn("duplicate_sentences", sentences.repeated_share(),
           " of the sentences repeat an earlier one word for word, such as headers, licences or menus; remove what is "
           "not text from the input");
    }
  }

  void check_scripts() {
    if (!normalization_of(targets_.tokenizer).strip_accents) return;
    const double all = static_cast<double>(text_.scripts.letters());
    for (const auto& [name, count] : text_.scripts.by_name) {
      if (static_cast<double>(count.letters) < kMinScriptShare * all) continue;
      const bool is_lost = count.lost_share() > kMaxLost;
      if (!is_lost && count.accented_share() <= kMaxAccented) continue;
      warn("scripts", is_lost ? count.lost_share() : count.accented_share(),
           (is_lost ? " of the letters and marks in " + name + " are lost, as accents are stripped"
                    : " of the letters in " + name + " lose their accents") +
               example_of(count) + "; keep them with --strip-accents no and a vocabulary that has them");
    }
  }

  std::string example_of(const ScriptCount& count) const {
    if (count.example.empty()) return {};
    std::string after;
    for (const std::string& word : basic_tokens(count.example, targets_.tokenizer)) after += word;
    return " (" + count.example + " → " + after + ")";
  }

  void check_padding() {
    const double share = counts_.padding_share(targets_.seq_len);
    if (share <= kMaxPadding) return;
    warn("padding_share", share,
         " of all token positions are padding: the articles are too short for rows of " +
             std::to_string(targets_.seq_len) + " tokens (" + rounded(counts_.tokens_per_row(), 0) +
             " on average), and most of the computing time trains nothing; make shorter rows with --phase custom "
             "--seq-len, or join what belongs together into longer articles");
  }

  void check_masks() {
    const double masked = static_cast<double>(rows_.masked());
    const double wanted = targets_.masked_lm_prob * static_cast<double>(rows_.tokens);
    if (masked < kMinMaskedShare * wanted && rows_.rows >= kMinRows) {
      warn("masks_per_row", "rows have " + rounded(masked / static_cast<double>(rows_.rows), 1) + " masked tokens, " +
                                percent(masked / static_cast<double>(rows_.tokens)) + " of their tokens instead of " +
                                percent(targets_.masked_lm_prob) + ": --max-predictions " +
                                std::to_string(targets_.max_predictions) + " cuts them off; raise it");
    }
    check_kind_of_masks("masked_as_mask", rows_.masked_as_mask, 0.8, "[MASK]");
    check_kind_of_masks("masked_as_same", rows_.masked_as_same, 0.1, "themselves");
    check_kind_of_masks("masked_as_random", rows_.masked_as_random, 0.1, "a random piece");
  }

  // Six standard deviations: exceeded by chance once in a billion datasets.
  void check_kind_of_masks(const char* about, std::uint64_t count, double wanted, const char* by) {
    const double all = static_cast<double>(rows_.masked());
    const double deviation = 6 * std::sqrt(wanted * (1 - wanted) * all) + 1e-3 * all;
    if (std::abs(static_cast<double>(count) - wanted * all) <= deviation) return;
    const std::string share = percent(static_cast<double>(count) / all);
    if (share == percent(wanted)) return;  // "10 % instead of 10 %" tells nothing
    warn(about, share + " of the masked tokens are replaced by " + by + " instead of " + percent(wanted) +
                    ": few different rows repeat the same draws; use more text");
  }

  void check_random_next() {
    const double share = counts_.random_next_share();
    const bool is_odd = (share < kMinRandomNext || share > kMaxRandomNext) && rows_.rows >= kMinRows;
    if (training_.single_article > 0 && training_.articles > 1) {
      const std::string found = percent(share) + " of the rows have one";
      warn("random_next_share",
           counted_of(training_.single_article, training_.rows.size(), "training shard", "holds", "hold") +
               " a single article: \"random\" next sentences come from the same article, " + found +
               (found.starts_with(percent(0.5)) ? "" : " instead of 50 %") + "; use --train-shards " +
               std::to_string(std::max<std::uint64_t>(training_.articles / kArticlesOfAShard, 1)) + " or fewer");
    } else if (is_odd && share > kMaxRandomNext) {
      warn("random_next_share", share,
           " of the rows have a random next sentence instead of 50 %: articles have few sentences, and one alone has "
           "no true next one; " +
               remedy_for_lone_sentences() + ", or train without next-sentence prediction");
    } else if (is_odd) {
      warn("random_next_share", share,
           " of the rows have a random next sentence instead of 50 %: a shard holds too few articles to draw from; use "
           "more text or fewer shards");
    }
  }

  double lone_sentence_share() const { return share_of(text_.article_lengths.by_power()[0], text_.articles); }

  // Where the signs of another script end the sentences, these were not found.
  std::string remedy_for_lone_sentences() const {
    const std::uint64_t all = text_.scripts.letters();
    for (const auto& [script, language] : kOtherSentenceEnds) {
      const auto found = text_.scripts.by_name.find(script);
      if (found == text_.scripts.by_name.end() || 2 * found->second.letters < all) continue;
      return std::string("the sentences of this text, in ") + script +
             ", end with other signs than the model of --sentences knows: split them with --sentences icu --language " +
             language;
    }
    return "join what belongs together into articles, or, if the sentences end with other signs than . ? !, split them "
           "with --sentences icu --language TAG";
  }

  void check_cut() {
    if (counts_.cut_share() <= kMaxCut || rows_.rows < kMinRows) return;
    const bool is_lone = lone_sentence_share() > kMaxLoneSentences;
    warn("cut_share", counts_.cut_share(),
         " of the tokens do not fit into the rows and are cut off: " +
             (is_lone ? percent(lone_sentence_share()) + " of the articles are one long sentence; " +
                            remedy_for_lone_sentences()
                      : "sentences are longer than a row; use a larger --seq-len, or split them"));
  }

  void check_test_share() {
    if (!targets_.test_fraction || *targets_.test_fraction <= 0) return;
    const double real = counts_.test_share();
    const double requested = *targets_.test_fraction;
    if (real <= kTestShareFactor * requested && real >= requested / kTestShareFactor) return;
    if (percent(real) == percent(requested)) return;
    warn("test_share", real,
         " of the rows are for testing instead of " + percent(requested) +
             ": articles stay whole, and few or very long ones can't be divided so; use more text, or another "
             "--test-fraction");
  }

  void check_rows_of_shards() {
    if (training_.rows.size() < 2) return;
    const double least = static_cast<double>(training_.rows.front());
    const double median = static_cast<double>(training_.median_rows());
    const double most = static_cast<double>(training_.rows.back());
    if (least * kRowsFactor >= median && most <= kRowsFactor * median) return;
    warn("training_shards", "training shards have " + grouped(training_.rows.front()) + " to " +
                                grouped(training_.rows.back()) + " rows (median " + grouped(training_.median_rows()) +
                                "): trainers that give each process a shard wait for the largest, or stop at the "
                                "smallest; use fewer shards, or 'bertprep reshard'");
  }

  const DataCounts& counts_;
  const TextCounts& text_;
  const RowCounts& rows_;
  const ShardSpread& training_;
  const DataTargets& targets_;
  std::vector<DataWarning> warnings_{};
};

// The targets in the recipe of `manifest`.
DataTargets targets_of(const Manifest& manifest) {
  const auto number = [&](const char* name) {
    const auto text = manifest.recipe_value(name);
    return text ? number_in<double>(*text) : std::nullopt;
  };
  DataTargets targets;
  targets.seq_len = static_cast<std::uint64_t>(number("seq-len").value_or(0));
  targets.max_predictions = static_cast<std::uint64_t>(number("max-predictions").value_or(0));
  targets.masked_lm_prob = number("masked-lm-prob").value_or(0);
  targets.test_fraction = number("test-fraction");
  targets.tokenizer.lower_case = manifest.recipe_value("lower-case") == "true";
  const std::string strips = manifest.recipe_value("strip-accents").value_or("auto");
  // How a custom tokenizer treats accents is unknown.
  if (strips == "no" || manifest.recipe_value("tokenizer")) targets.tokenizer.strip_accents = AccentStripping::kNo;
  if (strips == "yes") targets.tokenizer.strip_accents = AccentStripping::kYes;
  return targets;
}

}  // namespace

std::string percent(double share) {
  const double value = 100 * share;
  return rounded(value, value < 1 ? 2 : value < 10 ? 1 : 0) + " %";
}

Json shard_counts_json(const Json& text, const RowCounts& rows, std::optional<std::uint64_t> cut_tokens) {
  Json counts = Json::object();
  for (const auto& [name, count] : kRowNumbers) counts.add(name, Json::number(rows.*count));
  if (cut_tokens) counts.add("cut_tokens", Json::number(*cut_tokens));
  return Json::object().add("text", text).add("rows", std::move(counts));
}

void DataCounts::add_shard(std::string_view file, const Json& json) {
  const TextCounts text = TextCounts::from_json(json.at("text"));
  const Json& of_rows = json.at("rows");
  for (const auto& [name, count] : kRowNumbers) rows_.*count += of_rows.at(name).as_unsigned();
  const std::uint64_t rows = of_rows.at("rows").as_unsigned();
  const Json* cut = of_rows.find("cut_tokens");
  knows_cut_tokens_ = knows_cut_tokens_ && cut != nullptr;
  if (knows_cut_tokens_) cut_tokens_ += cut->as_unsigned();
  ShardSpread& spread = file.find("_test_") != std::string_view::npos ? test_ : training_;
  spread.rows.insert(std::upper_bound(spread.rows.begin(), spread.rows.end(), rows), rows);
  spread.articles += text.articles;
  spread.single_article += text.articles == 1 ? 1 : 0;
  text_.add(text);
}

FrequentWords DataCounts::take_unknown_words() {
  return std::exchange(text_.unknown_words, FrequentWords());
}

void DataCounts::set_dropped(const ReasonCounts& left_out, const ReasonCounts& rejected) {
  left_out_ = left_out;
  rejected_ = rejected;
}

double DataCounts::cut_share() const {
  constexpr std::uint64_t kSpecialTokens = 3;
  if (!knows_cut_tokens_) return 0;
  return share_of(cut_tokens_, cut_tokens_ + rows_.tokens - std::min(rows_.tokens, kSpecialTokens * rows_.rows));
}
double DataCounts::padding_share(std::uint64_t seq_len) const {
  return rows_.rows == 0 ? 0 : 1 - tokens_per_row() / static_cast<double>(seq_len);
}

Json DataCounts::to_json(const DataTargets& targets) const {
  Json dropped = Json::object()
                     .add("empty_sentences", Json::number(text_.empty_sentences))
                     .add("empty_articles", Json::number(text_.empty_articles));
  if (!left_out_.is_empty()) dropped.add("left_out", json_of(left_out_));
  Json rows = Json::object()
                  .add("tokens_per_row", decimal_json(tokens_per_row()))
                  .add("padding_share", decimal_json(padding_share(targets.seq_len)))
                  .add("masks_per_row", decimal_json(share_of(rows_.masked(), rows_.rows)))
                  .add("masked_as_mask", decimal_json(share_of(rows_.masked_as_mask, rows_.masked())))
                  .add("masked_as_same", decimal_json(share_of(rows_.masked_as_same, rows_.masked())))
                  .add("masked_as_random", decimal_json(share_of(rows_.masked_as_random, rows_.masked())))
                  .add("random_next_share", decimal_json(random_next_share()))
                  .add("test_share", decimal_json(test_share()));
  if (knows_cut_tokens_) rows.add("cut_share", decimal_json(cut_share()));
  Json json = Json::object()
                  .add("articles", Json::number(text_.articles))
                  .add("sentences", Json::number(text_.sentences))
                  .add("words", Json::number(text_.words))
                  .add("tokens", Json::number(text_.tokens))
                  .add("unknown_tokens", Json::number(text_.unknown))
                  .add("unknown_share", decimal_json(unknown_share()))
                  .add("unknown_words", text_.unknown_words.to_json(kUnknownWords));
  if (text_.words > 0) json.add("pieces_per_word", decimal_json(pieces_per_word()));
  return json.add("sentence_lengths", text_.sentence_lengths.to_json())
      .add("article_lengths", text_.article_lengths.to_json())
      .add("dropped", std::move(dropped))
      .add("duplicate_articles", duplicates_json(text_.article_digests))
      .add("duplicate_sentences", duplicates_json(text_.sentence_digests))
      .add("scripts", scripts_json(text_.scripts))
      .add("rows", std::move(rows))
      .add("training_shards", spread_json(training_))
      .add("test_shards", spread_json(test_));
}

std::vector<DataWarning> warnings_of(const DataCounts& counts, const DataTargets& targets) {
  return Warnings(counts, targets).all();
}

void add_data(const DataCounts& counts, Manifest& manifest) {
  const DataTargets targets = targets_of(manifest);
  manifest.data = counts.to_json(targets).dump_line();
  manifest.warnings = warnings_of(counts, targets);
}

}  // namespace bertprep
