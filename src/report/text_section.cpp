// The run's figures of the text, from the manifest, and markup left in it.
#include <algorithm>

#include "base/number_text.h"
#include "io/json.h"
#include "quality/data_counts.h"
#include "report/charts.h"
#include "report/html.h"
#include "report/report_sections.h"
#include "shard/expected_content.h"

namespace bertprep {
namespace {

// For scripts with fewer of the letters, losses are random.
constexpr double kMinScriptShare = 0.01;
constexpr std::size_t kMaxPowers = 63;
constexpr const char* kNoCounts =
    "The manifest has no counts of the text: an older version or another tool made these rows.";

double share_in(const Json& json, const char* name) {
  const Json* value = json.find(name);
  return value == nullptr ? 0 : std::stod(value->text());
}

std::string unknown_chart(const Json& data) {
  const auto& words = data.at("unknown_words").items();
  if (words.empty()) return {};
  std::vector<BarItem> items;
  for (const Json& word : words) {
    const std::uint64_t times = word.items().at(1).as_unsigned();
    items.push_back({word.items().at(0).text(), static_cast<double>(times), grouped(times)});
  }
  return bar_list({"Words that became [UNK]", percent(share_in(data, "unknown_share")) + " of the tokens are [UNK]"},
                  items);
}

std::string script_chart(const Json& data) {
  std::vector<BarItem> items;
  bool loses = false;
  for (const auto& [name, script] : data.at("scripts").members()) {
    const double share = share_in(script, "share");
    const double lost = share < kMinScriptShare ? 0 : share_in(script, "lost_by_stripping");
    loses |= lost >= 0.005;
    items.push_back({name, share, percent(share) + (lost >= 0.005 ? ", " + percent(lost) + " lost" : "")});
  }
  if (items.empty()) return {};
  std::stable_sort(items.begin(), items.end(), [](const BarItem& a, const BarItem& b) { return a.value > b.value; });
  if (items.size() > 10) items.resize(10);
  return bar_list({"Scripts", loses ? "share of the letters, and what stripping accents removes from them"
                                    : "share of the letters"},
                  items, 1);
}

std::string repeated_chart(const Json& data) {
  std::vector<BarItem> items;
  for (const auto& [name, member] :
       {std::pair{"articles", "duplicate_articles"}, {"sentences", "duplicate_sentences"}}) {
    const double share = share_in(data.at(member), "share");
    items.push_back({name, share, percent(share)});
  }
  return bar_list({"Repeated text", "what repeats an earlier one byte for byte"}, items, 1);
}

// By powers of two; empty if the manifest has none.
std::string lengths_chart(const Json& data, const char* member, ChartText text) {
  const Json* lengths = data.find(member);
  if (lengths == nullptr) return {};
  std::vector<std::uint64_t> counts;
  for (const Json& count : lengths->items()) counts.push_back(count.as_unsigned());
  if (counts.empty() || counts.size() > kMaxPowers) return {};
  return column_chart(power_histogram(std::move(text), counts));
}

// For the shards whose records have them; empty without any.
std::string sentences_chart(const SetReport& set) {
  const std::filesystem::path& path = set.diagnosis.path;
  std::vector<ShardValue> values;
  const std::vector<RecordedShard> recorded = expected_content(path).recorded;
  for (const RecordedShard& shard : recorded) {
    if (!shard.sentences || !shard.tokens || *shard.sentences == 0) continue;
    const double mean = share_of(*shard.tokens, *shard.sentences);
    values.push_back({shard.file, mean, rounded(mean, 1) + " tokens"});
  }
  if (values.empty()) return {};
  std::string note = "the mean of each; shards of other text stand out";
  if (recorded.size() < set.diagnosis.files) {
    const std::uint64_t lacking = set.diagnosis.files - recorded.size();
    note += "; " + counted(lacking, "shard", "has", "have") + " no completion record that can be read";
  }
  return column_chart(shard_chart({"Tokens in a sentence, by shard", note, {}, "tokens"}, std::move(values)));
}

std::string mean_text(const Json& data, const char* all, const char* of) {
  return rounded(share_of(data.at(all).as_unsigned(), data.at(of).as_unsigned()), 1);
}

std::string text_card(const Json& data) {
  std::string facts;
  for (const char* name : {"articles", "sentences", "words", "tokens"}) {
    if (const Json* count = data.find(name)) facts += fact_row(name, grouped(count->as_unsigned()));
  }
  if (data.find("pieces_per_word") != nullptr)
    facts += fact_row("pieces per word", rounded(share_in(data, "pieces_per_word"), 2));
  for (const auto& [name, value] : data.at("dropped").members()) {
    if (value.kind() == Json::Kind::Number && value.as_unsigned() > 0) {
      std::string words = "dropped: " + name;
      std::replace(words.begin(), words.end(), '_', ' ');
      facts += fact_row(words, grouped(value.as_unsigned()));
    } else if (value.kind() == Json::Kind::Object) {
      for (const auto& [reason, times] : value.members())
        facts += fact_row("left out: " + reason, grouped(times.as_unsigned()));
    }
  }
  return element(
             "figure", "card",
             element("figcaption", "", element("b", "", "The text") + element("span", "", "in all files together")) +
                 element("table", "facts", facts)) +
         "\n";
}

}  // namespace

std::string text_section(const SetReport& set) {
  const std::string head = element("h2", "", "Text");
  if (!set.manifest || set.manifest->data.empty()) {
    return head +
           element("p", "soft", set.manifest ? kNoCounts : "No manifest.json says what text the rows were made from.");
  }
  const Json data = Json::parse(set.manifest->data, "the section of data");
  if (data.find("articles") == nullptr) return head + element("p", "soft", kNoCounts);
  return head +
         element("div", "grid",
                 text_card(data) +
                     lengths_chart(data, "sentence_lengths",
                                   {"Tokens in a sentence",
                                    mean_text(data, "tokens", "sentences") +
                                        " on average; each column from its number up to the next",
                                    "tokens", "sentences"}) +
                     lengths_chart(data, "article_lengths",
                                   {"Sentences in an article", mean_text(data, "sentences", "articles") + " on average",
                                    "sentences", "articles"}) +
                     sentences_chart(set) + unknown_chart(data) + script_chart(data) + repeated_chart(data));
}

// Markup left in the text, with examples.
std::string residue_section(const SetReport& set) {
  if (!set.residue || set.residue->rows() == 0) return {};
  const MarkupResidue& residue = *set.residue;
  std::string rows;
  for (const ResidueKind& kind : residue.kinds()) {
    if (kind.rows == 0) continue;
    std::string samples;
    for (const ResidueSample& sample : kind.samples) {
      samples += element("div", "", escaped(sample.text)) +
                 element("div", "soft", escaped(sample.file + ": row " + grouped(sample.row)));
    }
    rows += fact_row(kind.name, percent(share_of(kind.rows, residue.rows())) + " of the rows");
    rows += "<tr><td colspan=\"2\">" + samples + "</td></tr>";
  }
  const std::string looked_at = counted(residue.rows(), "row") + " looked at";
  const std::string note = rows.empty() ? "no brackets of links, braces of templates or tags in the " + looked_at
                                        : looked_at + "; well extracted text has almost none";
  return element("h2", "", "Markup left in the text") +
         element("figure", "card",
                 element("figcaption", "", element("b", "", "Markup residue") + element("span", "", escaped(note))) +
                     (rows.empty() ? std::string() : element("table", "facts", rows))) +
         "\n";
}

}  // namespace bertprep
