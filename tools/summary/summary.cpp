#include "summary/summary.h"

#include <algorithm>
#include <cstdio>

#include "quality/data_counts.h"

namespace bertprep::cli {
namespace {

// 80 characters, unless the numbers need more.
std::string cells(const std::array<std::string, 8>& texts) {
  static constexpr std::array<int, 8> kWidths = {9, 10, 12, 14, 11, 9, 8, 7};
  std::string line;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto width = static_cast<std::size_t>(kWidths[i]);
    const std::string pad(width > texts[i].size() ? width - texts[i].size() : 1, ' ');
    line += i == 0 ? texts[i] : pad + texts[i];
    if (i == 0 && width > line.size()) line += pad;
  }
  return line;
}

void print_event(const StageReport& stage) {
  JsonEvent event("stage");
  event.text("stage", stage.stage).number("tasks_made", stage.tasks_made);
  event.number("tasks_found", stage.tasks_found).number("articles", stage.articles);
  event.number("sentences", stage.sentences).number("tokens", stage.tokens).number("rows", stage.rows);
  event.number("rejected", stage.rejected).counts("rejected_by_reason", stage.rejected_by_reason);
  event.counts("left_out", stage.left_out);
  if (!stage.rejects_file.empty()) event.text("rejects_file", stage.rejects_file.string());
  event.number("bytes_in", stage.bytes_in).number("bytes_out", stage.bytes_out).real("seconds", stage.seconds);
  if (stage.peak_bytes != 0) event.number("peak_bytes", stage.peak_bytes);
  event.print();
}

std::string megabytes_per_second(const StageReport& stage) {
  return stage.seconds > 0 ? decimal(static_cast<double>(stage.bytes_in) / 1e6 / stage.seconds, 1) : "-";
}

// "format left out 12 documents: 7 no text, 5 redirect"
void print_left_out(const StageReport& stage, Console& console) {
  if (stage.left_out.is_empty()) return;
  console.say(stage.stage + " left out " + counted(stage.left_out.total(), "document") + ": " + stage.left_out.text());
}

void print_event(const std::string& split, const SequenceCounts& counts) {
  JsonEvent event("sequences");
  event.text("split", split).number("articles", counts.articles).number("sequences", counts.sequences);
  event.number("tokens", counts.tokens).number("dropped_tokens", counts.dropped).number("bytes", counts.bytes);
  event.print();
}

constexpr double kNamedScript = 0.01;

double number(const Json& json, const char* name) {
  return std::stod(json.at(name).text());
}

// "Latin 98 %, Han 2 %"
std::string scripts_text(const Json& scripts) {
  std::vector<std::pair<double, std::string>> shares;
  for (const auto& [name, script] : scripts.members()) {
    if (const double share = number(script, "share"); share >= kNamedScript) shares.emplace_back(share, name);
  }
  std::stable_sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  return joined(shares, ", ", [](const auto& share) { return share.second + " " + percent(share.first); });
}

std::string text_line(const Json& data) {
  std::string line = "text: " + percent(number(data, "unknown_share")) + " [UNK]";
  if (data.find("pieces_per_word") != nullptr) {
    line += ", " + rounded(number(data, "pieces_per_word"), 2) + " pieces per word";
  }
  line += "; repeated: " + percent(number(data.at("duplicate_articles"), "share")) + " of articles, " +
          percent(number(data.at("duplicate_sentences"), "share")) + " of sentences";
  const std::string scripts = scripts_text(data.at("scripts"));
  return scripts.empty() ? line : line + "; " + scripts;
}

std::string rows_line(const Json& data) {
  const Json& rows = data.at("rows");
  const Json* cut = rows.find("cut_share");
  return "rows: " + rounded(number(rows, "tokens_per_row"), 0) + " tokens and " +
         percent(number(rows, "padding_share")) + " padding, " + rounded(number(rows, "masks_per_row"), 1) +
         " masks, " + percent(number(rows, "random_next_share")) + " random next, " +
         percent(number(rows, "test_share")) + " for testing" +
         (cut == nullptr ? "" : ", " + percent(number(rows, "cut_share")) + " of the tokens cut off");
}

std::string shards_line(const Json& data) {
  const Json& training = data.at("training_shards");
  if (training.find("rows") == nullptr) return {};
  const auto count = [&](const char* name) { return grouped(training.at(name).as_unsigned()); };
  const std::string shards = "training shards: " + count("shards") + ", with ";
  if (count("least_rows") == count("most_rows"))
    return shards + counted(training.at("least_rows").as_unsigned(), "row");
  return shards + count("least_rows") + " to " + count("most_rows") + " rows (median " + count("median_rows") + ")";
}

void print_event(const DatasetReport& report) {
  JsonEvent("data").text("folder", report.folder.string()).json("data", report.data).print();
  for (const DataWarning& warning : report.warnings) {
    JsonEvent("warning")
        .text("folder", report.folder.string())
        .text("about", warning.about)
        .text("text", warning.text)
        .print();
  }
}

}  // namespace

void print_summary(std::span<const StageReport> stages, Console& console) {
  console.say(cells({"stage", "articles", "sentences", "tokens", "rows", "bytes", "seconds", "MB/s"}));
  std::uint64_t made = 0;
  for (const StageReport& stage : stages) {
    made += stage.tasks_made;
    const std::string speed = stage.tasks_made == 0 ? "found" : megabytes_per_second(stage);
    console.say(cells({stage.stage, count_text(stage.articles), count_text(stage.sentences), count_text(stage.tokens),
                       count_text(stage.rows), bytes_text(stage.bytes_out), decimal(stage.seconds, 2), speed}));
    if (console.options().json) print_event(stage);
  }
  for (const StageReport& stage : stages) print_left_out(stage, console);
  if (made == 0) console.say("nothing to do: all results are up to date");
}

void add_max_rejects(Command& command, std::int64_t& max_rejects) {
  command
      .add_option("--max-rejects", max_rejects, "RECORDS", OptionGroup::kInput,
                  "exit with status 3 if more records are rejected (default: no limit)")
      ->transform(within(0));
}

int status_for_rejects(const StageReport& stage, std::int64_t max_rejects, Console& console) {
  if (stage.rejected == 0) return kDone;
  const std::string rejected = counted(stage.rejected, "record", "was", "were") + " rejected";
  console.say(rejected + ": " + stage.rejected_by_reason.text());
  if (!stage.rejects_file.empty()) console.say("rejects: " + stage.rejects_file.string());
  if (max_rejects < 0 || stage.rejected <= static_cast<std::uint64_t>(max_rejects)) return kDone;
  std::fprintf(stderr, "bertprep: %s, --max-rejects allows %s\n", rejected.c_str(),
               grouped(static_cast<std::uint64_t>(max_rejects)).c_str());
  return kTooManyRejects;
}

std::string sequence_word(const SequenceOptions& options) {
  if (options.format != SequenceFormat::kMegatron) return options.blocks == 0 ? "row" : "block";
  return options.level == SequenceLevel::kSentence ? "sentence" : "document";
}

void print_splits(const std::map<std::string, SequenceCounts>& splits, const SequenceOptions& options,
                  Console& console) {
  const std::string source = options.source == SequenceSource::kLines ? "line" : "article";
  for (const auto& [split, counts] : splits) {
    if (console.options().json) print_event(split, counts);
    std::string text = split + ": " + counted(counts.articles, source) + ", " +
                       counted(counts.sequences, sequence_word(options)) + ", " + counted(counts.tokens, "token") +
                       ", " + bytes_text(counts.bytes);
    if (counts.dropped != 0) text += "; " + counted(counts.dropped, "token") + " left out";
    console.say(text);
  }
}

void print_data(std::span<const StageReport> stages, Console& console) {
  std::string text;  // the same for all phases
  std::vector<std::string> warned;
  for (const StageReport& stage : stages) {
    for (const DatasetReport& report : stage.data) {
      if (report.data.empty()) continue;
      const Json data = Json::parse(report.data, "the section of data");
      if (const std::string line = text_line(data); line != text) console.say(text = line);
      console.say(rows_line(data));
      if (const std::string line = shards_line(data); !line.empty()) console.say(line);
      for (const DataWarning& warning : report.warnings) {
        if (std::find(warned.begin(), warned.end(), warning.text) != warned.end()) continue;
        warned.push_back(warning.text);
        console.say("warning: " + warning.text);
      }
      if (console.options().json) print_event(report);
    }
  }
}

void add_strict_data(Command& command, bool& strict) {
  command.add_flag("--strict-data", strict, OptionGroup::kOutput,
                   "end with status 4 if a property of the data is out of its range");
}

int status_for_data(std::span<const StageReport> stages, bool strict, int status) {
  if (!strict || status != kDone) return status;
  for (const StageReport& stage : stages) {
    for (const DatasetReport& report : stage.data) {
      if (report.warnings.empty()) continue;
      std::fprintf(stderr, "bertprep: %s: %s, and --strict-data makes it an error\n", report.folder.string().c_str(),
                   report.warnings.front().text.c_str());
      return kDataOutOfRange;
    }
  }
  return status;
}

}  // namespace bertprep::cli
