#include "summary/summary.h"

#include "console/json_event.h"
#include "options/amounts.h"

namespace bertprep::cli {
namespace {

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
