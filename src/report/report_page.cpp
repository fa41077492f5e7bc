// The page of a report: its sections, in the order of the page. Each is HTML; empty if it does not apply to the set.
#include <algorithm>
#include <numeric>

#include "base/number_text.h"
#include "bertprep/version.h"
#include "io/json.h"
#include "quality/data_counts.h"
#include "report/charts.h"
#include "report/html.h"
#include "report/report.h"
#include "shard/folder_gaps.h"

namespace bertprep {
namespace {

std::string tile(const std::string& name, const std::string& value) {
  return "<div><dt>" + escaped(name) + "</dt><dd>" + escaped(value) + "</dd></div>";
}

// The manifest's figures of the text, if any.
std::optional<Json> data_of(const SetReport& set) {
  if (!set.manifest || set.manifest->data.empty()) return std::nullopt;
  return Json::parse(set.manifest->data, "the section of data");
}

std::string text_tiles(const Json& data) {
  std::string tiles;
  if (const Json* share = data.find("unknown_share")) tiles += tile("[UNK]", percent(std::stod(share->text())));
  if (const Json* repeated = data.find("duplicate_sentences")) {
    tiles += tile("repeated sentences", percent(std::stod(repeated->at("share").text())));
  }
  return tiles;
}

std::string size_text(const SetReport& set) {
  std::uint64_t bytes = 0;
  for (const FileFigures& file : set.figures.files()) bytes += file.bytes;
  return rounded(static_cast<double>(bytes) / 1e6, bytes < 100'000'000 ? 1 : 0) + " MB";
}

std::string list_item(const char* css_class, std::string_view tag, const std::string& content) {
  return element("li", css_class, element("span", "tag", escaped(tag)) + content) + "\n";
}

std::string fix_paragraph(const std::string& html) {
  return element("p", "", element("b", "", "Fix: ") + html);
}

// "what is wrong, why; what to do": the last part is separate.
std::string warning_item(const DataWarning& warning) {
  const std::size_t fix = warning.text.rfind("; ");
  if (fix == std::string::npos) return list_item("warn", "data", escaped(warning.text));
  return list_item("warn", "data",
                   escaped(warning.text.substr(0, fix)) + fix_paragraph(escaped(warning.text.substr(fix + 2))));
}

// Without the folder, which is above it in the page.
std::string place_in_set(const Finding& finding) {
  std::string place = finding.place.file;
  if (finding.place.row) place += ": row " + std::to_string(*finding.place.row);
  return place.empty() ? place : place + ": ";
}

std::string finding_item(const Finding& finding, const std::filesystem::path& path) {
  const Severity severity = finding.severity();
  const std::string extent = extent_text(finding);
  const std::string head =
      escaped(place_in_set(finding) + finding.what) +
      element("span", "soft",
              " (" + escaped(facts_of(finding.trap).name) + (extent.empty() ? "" : "; " + escaped(extent)) + ")");
  std::string effects;
  for (const std::string& effect : effect_texts(finding)) effects += element("p", "", escaped(effect));
  const std::string fix = fix_text(finding, path);
  const std::string fix_html = fix.starts_with("bertprep ") ? element("code", "", escaped(fix)) : escaped(fix);
  const char* css_class = severity == Severity::kRemark ? "note" : severity <= Severity::kCrashLate ? "warn" : "bad";
  return list_item(css_class, severity_name(severity),
                   head + element("div", "soft", effects) + fix_paragraph(fix_html));
}

// The value below which half of the counted things are.
std::size_t median_of(const std::vector<std::uint64_t>& counts, std::uint64_t all) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    sum += counts[i];
    if (2 * sum >= all) return i;
  }
  return 0;
}

std::string length_chart(const RowFigures& figures) {
  const std::uint64_t full = figures.lengths().back();
  return column_chart(histogram({"Tokens in a row",
                                 "half of the rows have " + grouped(median_of(figures.lengths(), figures.rows())) +
                                     " or fewer; " + percent(share_of(full, figures.rows())) + " are full",
                                 "tokens", "rows"},
                                figures.lengths()));
}

std::string parts_chart(const ChartText& text, const std::vector<std::pair<const char*, std::uint64_t>>& parts,
                        std::uint64_t all) {
  std::vector<BarItem> items;
  for (const auto& [name, count] : parts) {
    items.push_back({name, static_cast<double>(count), percent(share_of(count, all))});
  }
  return share_bar(text, items, static_cast<double>(all));
}

std::string places_chart(const RowFigures& figures) {
  const std::uint64_t padding = figures.places() - figures.tokens();
  const std::uint64_t predicted = std::min(figures.predictions(), figures.tokens());
  const std::uint64_t first = figures.tokens() - figures.in_second_segment();
  std::string note = "padding is computed, but teaches nothing";
  if (figures.in_second_segment() > 0) {
    note = "first segment " + rounded(share_of(first, figures.rows()), 0) + " tokens, second " +
           rounded(share_of(figures.in_second_segment(), figures.rows()), 0) + "; " + note;
  }
  return parts_chart({"What the rows hold at each position", note},
                     {{"read", figures.tokens() - predicted}, {"to predict", predicted}, {"padding", padding}},
                     figures.places());
}

std::string masks_chart(const RowFigures& figures) {
  return column_chart(histogram({"Tokens to predict in a row",
                                 percent(share_of(figures.predictions(), figures.tokens())) + " of the tokens, " +
                                     rounded(share_of(figures.predictions(), figures.rows()), 1) + " a row; up to " +
                                     grouped(figures.max_predictions()),
                                 "tokens to predict", "rows"},
                                figures.masks()));
}

std::string replacement_chart(const SetReport& set) {
  const ReplacementFigures figures = set.figures.replacements(set.mask_id());
  const std::uint64_t all = figures.by_mask + figures.by_same + figures.by_other;
  if (all == 0) return {};
  return parts_chart(
      {"What replaces the tokens to predict", "BERT's recipe: 80 % [MASK], 10 % left, 10 % another"},
      {{"[MASK]", figures.by_mask}, {"left as they are", figures.by_same}, {"another token", figures.by_other}}, all);
}

std::string next_chart(const SetReport& set) {
  std::vector<ShardValue> values;
  for (const FileFigures& file : set.figures.files()) {
    if (file.is_for_test || file.rows == 0) continue;
    values.push_back(
        {file.name, share_of(file.random_next, file.rows), percent(share_of(file.random_next, file.rows))});
  }
  ColumnChart chart = shard_chart({"Random next sentences by shard",
                                   percent(share_of(set.figures.random_next(), set.figures.labelled())) +
                                       " of all rows; about half is expected in every shard",
                                   {},
                                   "rows with label 1"},
                                  std::move(values));
  chart.is_half = true;
  return column_chart(chart);
}

using Files = std::vector<const FileFigures*>;

// `number` of each file, such as "2,000 rows".
std::string files_chart(ChartText text, const Files& files, std::uint64_t FileFigures::*number, const char* unit) {
  std::vector<ShardValue> values;
  for (const FileFigures* file : files) {
    values.push_back({file->name, static_cast<double>(file->*number), counted(file->*number, unit)});
  }
  text.up = std::string(unit) + "s";
  return column_chart(shard_chart(std::move(text), std::move(values)));
}

std::string rows_chart(const char* title, const Files& files) {
  std::vector<std::uint64_t> rows;
  for (const FileFigures* file : files) rows.push_back(file->rows);
  std::ranges::sort(rows);
  const std::string note =
      grouped(rows.front()) + " to " + grouped(rows.back()) + " (median " + grouped(rows[rows.size() / 2]) + ")";
  return files_chart({title, note}, files, &FileFigures::rows, "row");
}

std::string bytes_chart(const Files& files) {
  std::uint64_t bytes = 0;
  std::uint64_t rows = 0;
  for (const FileFigures* file : files) {
    bytes += file->bytes;
    rows += file->rows;
  }
  const double bytes_a_row = static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(rows, 1));
  return files_chart({"Bytes of training files", rounded(bytes_a_row, 0) + " bytes per row on disk"}, files,
                     &FileFigures::bytes, "byte");
}

constexpr std::size_t kFrequent = 12;
constexpr std::size_t kNever = 60;

bool is_special(const SetReport& set, std::int64_t id) {
  if (!set.vocab) return false;
  return id == set.vocab->pad() || id == set.vocab->cls() || id == set.vocab->sep() || id == set.vocab->mask();
}

// Pieces that never occur in text: special and reserved ones.
bool is_reserved(std::string_view piece) {
  return piece.starts_with('[') && piece.ends_with(']');
}

using PieceCounts = std::vector<std::uint64_t>;  // by id

std::vector<std::int64_t> used_ids(const SetReport& set, const PieceCounts& counts) {
  std::vector<std::int64_t> ids;
  for (std::size_t id = 0; id < counts.size(); ++id) {
    if (counts[id] > 0 && !is_special(set, static_cast<std::int64_t>(id))) ids.push_back(static_cast<std::int64_t>(id));
  }
  std::ranges::stable_sort(ids, std::ranges::greater{},
                           [&](std::int64_t id) { return counts[static_cast<std::size_t>(id)]; });
  return ids;
}

std::string frequent_chart(const SetReport& set, const PieceCounts& counts, const std::vector<std::int64_t>& ids) {
  const Vocab* vocab = set.vocab ? &*set.vocab : nullptr;
  std::vector<BarItem> items;
  for (const std::int64_t id : std::span(ids).first(std::min(ids.size(), kFrequent))) {
    const std::uint64_t times = counts[static_cast<std::size_t>(id)];
    items.push_back({piece_text(id, vocab), static_cast<double>(times), grouped(times)});
  }
  return bar_list({set.vocab ? "Most frequent pieces" : "Most frequent ids",
                   set.vocab ? "of the text before it was masked" : "with a vocabulary, they are words"},
                  items);
}

std::string usage_chart(const PieceCounts& by_id, const std::vector<std::int64_t>& ids) {
  std::vector<std::uint64_t> counts;
  for (const std::int64_t id : ids) counts.push_back(by_id[static_cast<std::size_t>(id)]);
  const auto rare =
      static_cast<std::uint64_t>(std::count_if(counts.begin(), counts.end(), [](auto c) { return c < 100; }));
  return rank_chart({"How often pieces occur",
                     counted(counts.size(), "piece") + " occur" + (counts.size() == 1 ? "s" : "") + ", " +
                         grouped(rare) + " of them fewer than 100 times",
                     "pieces, the most frequent first", "times"},
                    counts);
}

// Spread over the whole vocabulary, as its beginning is often a list of characters.
std::string never_card(const SetReport& set, const PieceCounts& counts) {
  if (!set.vocab) return {};
  std::vector<std::string_view> never;
  for (const TokenId id : set.vocab->ids()) {
    const auto index = static_cast<std::size_t>(id);
    const bool is_used = index < counts.size() && counts[index] > 0;
    if (!is_used && !is_reserved(set.vocab->piece(id))) never.push_back(set.vocab->piece(id));
  }
  std::string words;
  const std::size_t shown = std::min(never.size(), kNever);
  for (std::size_t i = 0; i < shown; ++i) {
    words += (i > 0 ? " " : "") + element("bdi", "", escaped(never[i * never.size() / shown]));
  }
  return figure({"Pieces that never occur", grouped(never.size()) + " of " + grouped(set.vocab->size()) + ", " +
                                                percent(share_of(never.size(), set.vocab->size())) +
                                                (shown < never.size() ? "; some of them" : "")},
                words);
}

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
  return figure({"The text", "in all files together"}, element("table", "facts", facts));
}

std::string facts_card(const std::string& rows) {
  return element("div", "card", element("table", "facts", rows));
}

std::string megabytes(double bytes) {
  return rounded(bytes / 1e6, bytes < 1e5 ? 3 : bytes < 1e7 ? 1 : 0) + " MB";
}

std::string facts_of(const StageFigures& stage) {
  if (stage.is_found) return "done by an earlier run";
  std::string text = rounded(stage.seconds, stage.seconds < 10 ? 2 : 0) + " s";
  if (stage.seconds > 0) text += ", " + megabytes(static_cast<double>(stage.bytes_in) / stage.seconds) + " a second";
  text += ", " + megabytes(static_cast<double>(stage.bytes_out)) + " written";
  if (stage.peak_bytes != 0) text += ", up to " + megabytes(static_cast<double>(stage.peak_bytes)) + " of memory";
  return text;
}

std::string set_title(const SetReport& set) {
  if (set.manifest) return set.manifest->dataset + ", rows of " + std::to_string(set.figures.row_length()) + " tokens";
  const auto path = std::filesystem::absolute(set.diagnosis.path).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

// What it is, and its main numbers.
std::string head_section(const SetReport& set) {
  const RowFigures& figures = set.figures;
  const std::uint64_t tests = set.diagnosis.files - std::min(set.diagnosis.training_files, set.diagnosis.files);
  std::string tiles = tile("rows", grouped(figures.rows())) +
                      tile("tokens per row", rounded(share_of(figures.tokens(), figures.rows()), 0)) +
                      tile("padding", percent(1 - share_of(figures.tokens(), figures.places())));
  if (figures.max_predictions() > 0) {
    tiles += tile("to predict per row", rounded(share_of(figures.predictions(), figures.rows()), 1));
  }
  if (figures.labelled() > 0) {
    tiles += tile("random next", percent(share_of(figures.random_next(), figures.labelled())));
  }
  if (const auto data = data_of(set)) tiles += text_tiles(*data);
  const bool is_sequences = set.diagnosis.format != SetFormat::kHdf5;  // of any length
  std::string summary = counted(figures.rows(), "row") + " of " + (is_sequences ? "up to " : "") +
                        grouped(figures.row_length()) + " tokens";
  if (figures.max_predictions() > 0) summary += " with up to " + grouped(figures.max_predictions()) + " to predict";
  summary += "; " + counted(set.diagnosis.training_files, "training file");
  if (tests > 0) summary += ", " + grouped(tests) + " other" + (tests == 1 ? "" : "s");
  summary += ", " + size_text(set);
  return element("h1", "", escaped(set_title(set))) + element("div", "soft", escaped(summary)) +
         element("div", "path", escaped(set.diagnosis.path.string())) + element("dl", "tiles", tiles) + "\n";
}

// Warnings and findings, each with its remedy.
std::string findings_section(const SetReport& set) {
  std::string items;
  if (set.manifest) {
    for (const DataWarning& warning : set.manifest->warnings) items += warning_item(warning);
  }
  for (const Finding& finding : set.diagnosis.findings) items += finding_item(finding, set.diagnosis.path);
  if (set.diagnosis.findings.empty()) {
    items += list_item("ok", "doctor",
                       escaped("Nothing found in any row that would stop or mislead a trainer (" +
                               joined(set.diagnosis.trainers, ", ", trainer_name) + ")."));
  }
  const bool has_counts = set.manifest && !set.manifest->data.empty();
  if (has_counts && set.manifest->warnings.empty()) {
    items += list_item("ok", "data", "All counts of the run are in range.");
  }
  return element("h2", "", "What to know before training") + element("ul", "said", items);
}

std::string rows_section(const SetReport& set) {
  const RowFigures& figures = set.figures;
  if (figures.rows() == 0 || figures.row_length() == 0) return {};
  std::string charts = length_chart(figures);
  if (figures.max_predictions() > 0) charts += masks_chart(figures);
  if (figures.labelled() > 0) charts += next_chart(set);
  charts += places_chart(figures) + replacement_chart(set);
  return element("h2", "", "Rows") + element("div", "grid", charts);
}

std::string files_section(const SetReport& set) {
  Files training;
  Files test;
  for (const FileFigures& file : set.figures.files()) (file.is_for_test ? test : training).push_back(&file);
  std::string charts;
  if (!training.empty()) charts += rows_chart("Rows of training files", training) + bytes_chart(training);
  if (!test.empty()) charts += rows_chart("Rows of test files", test);
  return charts.empty() ? std::string() : element("h2", "", "Files") + element("div", "grid", charts);
}

std::string pieces_section(const SetReport& set) {
  const PieceCounts counts = set.figures.by_id();
  const std::vector<std::int64_t> ids = used_ids(set, counts);
  if (ids.empty()) return {};
  return element("h2", "", "Vocabulary") +
         element("div", "grid", usage_chart(counts, ids) + frequent_chart(set, counts, ids) + never_card(set, counts));
}

// The manifest's figures of the text.
std::string text_section(const SetReport& set) {
  const std::string head = element("h2", "", "Text");
  if (!set.manifest) {
    return head + element("p", "soft", "No manifest.json says what text the rows were made from.");
  }
  const std::optional<Json> data = data_of(set);
  if (!data || data->find("articles") == nullptr) return head + element("p", "soft", kNoCounts);
  return head + element("div", "grid",
                        text_card(*data) +
                            lengths_chart(*data, "sentence_lengths",
                                          {"Tokens in a sentence",
                                           mean_text(*data, "tokens", "sentences") +
                                               " on average; each column from its number up to the next",
                                           "tokens", "sentences"}) +
                            lengths_chart(
                                *data, "article_lengths",
                                {"Sentences in an article", mean_text(*data, "sentences", "articles") + " on average",
                                 "sentences", "articles"}) +
                            sentences_chart(set) + unknown_chart(*data) + script_chart(*data) + repeated_chart(*data));
}

// Markup in the text.
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
         figure({"Markup residue", note}, rows.empty() ? std::string() : element("table", "facts", rows));
}

std::string stages_section(const SetReport& set) {
  if (set.stages.empty()) return {};
  std::string rows;
  for (const StageFigures& stage : set.stages) rows += fact_row(stage.stage, facts_of(stage));
  return element("h2", "", "Time and memory") + facts_card(rows) + "\n";
}

std::string samples_section(const SetReport& set) {
  if (set.samples.empty()) return {};
  std::string rows;
  for (const SampleRow& sample : set.samples) {
    rows += row_html(sample.shown, sample.file + ": row " + grouped(sample.row));
  }
  return element("h2", "", "Rows to read") + row_key_html() + rows;
}

std::string recipe_section(const SetReport& set) {
  if (!set.manifest) return {};
  std::vector<std::string> facts;
  for (const auto& [name, value] : set.manifest->recipe) facts.push_back(fact_row(name, value));
  if (set.manifest->vocabulary) {
    const ManifestVocab& vocab = *set.manifest->vocabulary;
    facts.push_back(fact_row("vocabulary", vocab.name + ", " + counted(vocab.size, "piece")));
  }
  for (const auto& [reason, times] : set.manifest->rejected_by_reason.by_reason()) {
    facts.push_back(fact_row("rejected: " + reason, grouped(times)));
  }
  const auto half = facts.begin() + static_cast<std::ptrdiff_t>((facts.size() + 1) / 2);
  return element("h2", "", "Recipe") + element("div", "grid halves",
                                               facts_card(std::accumulate(facts.begin(), half, std::string())) +
                                                   facts_card(std::accumulate(half, facts.end(), std::string())));
}

}  // namespace

std::string report_page(const std::vector<SetReport>& sets) {
  std::string body;
  for (const SetReport& set : sets) {
    body += element("section", "set",
                    head_section(set) + findings_section(set) + rows_section(set) + files_section(set) +
                        pieces_section(set) + text_section(set) + residue_section(set) + stages_section(set) +
                        samples_section(set) + recipe_section(set)) +
            "\n";
  }
  const HtmlFrame frame = html_frame(sets.empty() ? "bertprep report" : set_title(sets.front()));
  return frame.head + body +
         element(
             "footer", "",
             std::string("Made by bertprep ") + kVersion + " from the rows themselves; point at a chart for numbers.") +
         frame.end;
}

}  // namespace bertprep
