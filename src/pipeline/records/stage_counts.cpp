#include "pipeline/records/stage_counts.h"

#include <array>
#include <utility>

namespace bertprep {
namespace {

constexpr auto kNumbers =
    std::to_array<std::pair<const char*, std::uint64_t StageCounts::*>>({{"documents", &StageCounts::documents},
                                                                         {"articles", &StageCounts::articles},
                                                                         {"sentences", &StageCounts::sentences},
                                                                         {"tokens", &StageCounts::tokens},
                                                                         {"rows", &StageCounts::rows},
                                                                         {"sequences", &StageCounts::sequences},
                                                                         {"rejected", &StageCounts::rejected},
                                                                         {"text_bytes", &StageCounts::text_bytes},
                                                                         {"file_bytes", &StageCounts::file_bytes}});

}  // namespace

StageCounts counts_of(const CompletionRecord& record) {
  StageCounts counts;
  for (const auto& [name, member] : kNumbers) {
    if (const Json* number = record.counts.find(name)) counts.*member = number->as_unsigned();
  }
  if (const Json* origins = record.counts.find("has_origins")) counts.has_origins = origins->as_unsigned() != 0;
  if (const Json* text = record.counts.find("text_sha256")) counts.text_sha256 = text->text();
  counts.dropped = {reasons_in(record.counts, kRejectedByReason), reasons_in(record.counts, kLeftOut)};
  return counts;
}

StageReport found_report(const char* stage, const CompletionRecord& record, const std::filesystem::path& rejects) {
  const StageCounts counts = counts_of(record);
  StageReport report{.stage = stage, .tasks_found = record.outputs.size()};
  report.articles = counts.articles;
  report.sentences = counts.sentences;
  report.rejected = counts.rejected;
  report.rejected_by_reason = counts.dropped.rejected;
  report.left_out = counts.dropped.left_out;
  if (counts.rejected != 0) report.rejects_file = rejects;
  for (const OutputEntry& output : record.outputs) report.bytes_out += output.size_bytes;
  return report;
}

}  // namespace bertprep
