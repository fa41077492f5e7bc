// The extracted articles of an array job, for `keep` extracted: made piece by piece beside the formatted text, until
// they are joined to the files of a run in one process.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

#include "bertprep/base/progress.h"
#include "pipeline/array/array_plan.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/stages/extract_stage.h"
#include "pipeline/stages/format_pass.h"

namespace bertprep {

inline constexpr const char* kPieceDocs = ".docs.zst";
inline constexpr const char* kPieceDocRejects = ".docs.rejects.jsonl";  // in the state folder

// Whether the piece is of a dump whose extracted articles are kept.
bool keeps_docs(const ArrayPlan& plan, std::size_t piece);

// Of a piece, in its record.
struct DocCounts {
  FormatCounts counts;
  ReasonCounts rejected;
};
std::optional<DocCounts> doc_counts_in(const CompletionRecord& record);

// Writes the extracted articles of a piece to `path`, its rejects into the state folder of `folder`, and their counts
// into `record`. Throws as open_mediawiki().
void extract_piece(const ArrayPlan& plan, std::size_t piece, FormatPass pass, const OutputFolder& folder,
                   const std::filesystem::path& path, CompletionRecord& record, const Progress& progress);

// Reads what extract_piece() has written, if it is any article. Throws FormatError for a damaged file.
void read_docs(const std::filesystem::path& file, const WriteDoc& write, const Progress& progress);

}  // namespace bertprep
