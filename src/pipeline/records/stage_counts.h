// StageCounts: what a stage has counted, as its completion record has it (docs/formats/completion-record.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "bertprep/pipeline/stages.h"
#include "bertprep/shard/manifest.h"
#include "pipeline/records/completion_record.h"

namespace bertprep {

// Names of ReasonCounts in records.
inline constexpr const char* kRejectedByReason = "rejected_by_reason";
inline constexpr const char* kLeftOut = "left_out";  // documents that are not articles

// 0 or empty: the stage does not count this.
struct StageCounts {
  std::uint64_t documents = 0;
  std::uint64_t articles = 0;
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t rows = 0;
  std::uint64_t sequences = 0;
  std::uint64_t rejected = 0;
  std::uint64_t text_bytes = 0;
  std::uint64_t file_bytes = 0;
  bool has_origins = false;
  DroppedDocuments dropped{};
  std::string text_sha256{};  // of the text, decompressed
};

StageCounts counts_of(const CompletionRecord& record);

// The report of a stage whose result an earlier call has made. `rejects` lists its rejected records, if there are any.
StageReport found_report(const char* stage, const CompletionRecord& record, const std::filesystem::path& rejects = {});

}  // namespace bertprep
