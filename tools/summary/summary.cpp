#include "summary/summary.h"

#include <array>
#include <cstdio>

#include "base/fields.h"
#include "console/json_event.h"
#include "options/amounts.h"
#include "options/command.h"

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
  event.text("stage", stage.stage)
      .number("tasks_made", stage.tasks_made)
      .number("tasks_found", stage.tasks_found)
      .number("articles", stage.articles)
      .number("sentences", stage.sentences)
      .number("tokens", stage.tokens)
      .number("rows", stage.rows)
      .number("rejected", stage.rejected)
      .counts("rejected_by_reason", stage.rejected_by_reason)
      .counts("left_out", stage.left_out);
  if (!stage.rejects_file.empty()) event.text("rejects_file", stage.rejects_file.string());
  event.number("bytes_in", stage.bytes_in).number("bytes_out", stage.bytes_out).real("seconds", stage.seconds);
  if (stage.peak_bytes != 0) event.number("peak_bytes", stage.peak_bytes);
  event.print();
}

// "format left out 12 documents: 7 no text, 5 redirect"
void print_left_out(const StageReport& stage, Console& console) {
  if (stage.left_out.is_empty()) return;
  console.say(stage.stage + " left out " + counted(stage.left_out.total(), "document") + ": " + stage.left_out.text());
}

void print_event(const std::string& split, const SequenceCounts& counts) {
  JsonEvent("sequences")
      .text("split", split)
      .number("articles", counts.articles)
      .number("sequences", counts.sequences)
      .number("tokens", counts.tokens)
      .number("dropped_tokens", counts.dropped)
      .number("bytes", counts.bytes)
      .print();
}

}  // namespace

void print_summary(std::span<const StageReport> stages, Console& console) {
  console.say(cells({"stage", "articles", "sentences", "tokens", "rows", "bytes", "seconds", "MB/s"}));
  std::uint64_t made = 0;
  for (const StageReport& stage : stages) {
    made += stage.tasks_made;
    const std::string speed = stage.tasks_made == 0 ? "found" : megabytes_per_second(stage.bytes_in, stage.seconds);
    console.say(cells({stage.stage, count_text(stage.articles), count_text(stage.sentences), count_text(stage.tokens),
                       count_text(stage.rows), bytes_text(stage.bytes_out), decimal(stage.seconds, 2), speed}));
    if (console.options().json) print_event(stage);
  }
  for (const StageReport& stage : stages) print_left_out(stage, console);
  if (made == 0) console.say("nothing to do: all results are up to date");
}

void add_max_rejects(CLI::App& app, std::int64_t& max_rejects) {
  app.add_option("--max-rejects", max_rejects, "exit with status 3 if more records are rejected (default: no limit)")
      ->transform(within(0))
      ->type_name("RECORDS")
      ->group(std::string(title_of(OptionGroup::kInput)));
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

}  // namespace bertprep::cli
