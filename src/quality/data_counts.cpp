#include "quality/data_counts.h"

#include <algorithm>
#include <utility>

#include "base/number_text.h"

namespace bertprep {
namespace {

constexpr std::size_t kUnknownWords = 10;

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
  std::uint64_t all = 0;
  for (const auto& [name, count] : scripts.by_name) all += count.letters;
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

}  // namespace

std::string percent(double share) {
  const double value = 100 * share;
  return rounded(value, value < 1 ? 2 : value < 10 ? 1 : 0) + " %";
}

Json shard_counts_json(const Json& text, const RowCounts& rows, std::optional<std::uint64_t> cut_tokens) {
  Json counts = Json::object()
                    .add("rows", Json::number(rows.rows))
                    .add("tokens", Json::number(rows.tokens))
                    .add("random_next", Json::number(rows.random_next))
                    .add("masked_as_mask", Json::number(rows.masked_as_mask))
                    .add("masked_as_same", Json::number(rows.masked_as_same))
                    .add("masked_as_random", Json::number(rows.masked_as_random));
  if (cut_tokens) counts.add("cut_tokens", Json::number(*cut_tokens));
  return Json::object().add("text", text).add("rows", std::move(counts));
}

std::uint64_t ShardSpread::all_rows() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : rows) sum += count;
  return sum;
}

std::uint64_t ShardSpread::median_rows() const {
  return rows.empty() ? 0 : rows[rows.size() / 2];
}

void DataCounts::add_shard(std::string_view file, const Json& json) {
  const TextCounts text = TextCounts::from_json(json.at("text"));
  const Json& of_rows = json.at("rows");
  const auto number = [&](const char* name) { return of_rows.at(name).as_unsigned(); };
  const std::uint64_t rows = number("rows");
  rows_.rows += rows;
  rows_.tokens += number("tokens");
  rows_.random_next += number("random_next");
  const Json* cut = of_rows.find("cut_tokens");
  knows_cut_tokens_ = knows_cut_tokens_ && cut != nullptr;
  if (knows_cut_tokens_) cut_tokens_ += cut->as_unsigned();
  rows_.masked_as_mask += number("masked_as_mask");
  rows_.masked_as_same += number("masked_as_same");
  rows_.masked_as_random += number("masked_as_random");
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

double DataCounts::unknown_share() const {
  return share_of(text_.unknown, text_.tokens);
}
double DataCounts::pieces_per_word() const {
  return share_of(text_.tokens, text_.words);
}
double DataCounts::tokens_per_row() const {
  return share_of(rows_.tokens, rows_.rows);
}
double DataCounts::random_next_share() const {
  return share_of(rows_.random_next, rows_.rows);
}
double DataCounts::test_share() const {
  return share_of(test_.all_rows(), rows_.rows);
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
  Json words = Json::array();
  for (const CountedWord& counted : text_.unknown_words.most_frequent(kUnknownWords)) {
    words.push(Json::array().push(Json::string(counted.word)).push(Json::number(counted.times)));
  }
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
                  .add("unknown_words", std::move(words));
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

}  // namespace bertprep
