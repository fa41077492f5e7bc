// FormatCounts: what formatting has counted, of a corpus or a piece of it; and as JSON, in records and checkpoints.
#pragma once

#include <cstdint>
#include <string>

#include "bertprep/base/progress.h"
#include "io/json.h"
#include "source/line_pairs.h"
#include "wiki/clean/template_counts.h"

namespace bertprep {

struct FormatCounts {
  std::uint64_t documents = 0;
  std::uint64_t articles = 0;
  ReasonCounts left_out;             // documents without text
  std::uint64_t source_bytes = 0;    // of the text of documents
  std::uint64_t reported_bytes = 0;  // to the progress: of the input, or of text if the source has no input bytes
  std::uint64_t text_bytes = 0;
  std::uint64_t sentences = 0;
  LinePairs line_pairs;      // of documents whose line breaks are replaced
  bool has_origins = false;  // a document has a title or an origin
  TemplateCounts templates;  // of wiki pages, if the pass counts them
  std::string text_sha256;   // decompressed
  std::string file_sha256;   // as written to FormatOutputs::text

  // Of documents that follow these; without digests.
  void add(FormatCounts&& later);
};

// Those that are counted; with those of templates if there are any.
Json json_of(const FormatCounts& counts);
// Throws FormatError.
FormatCounts format_counts_in(const Json& json);
// Those in the record of a formatted file.
void add_formatted(const FormatCounts& counts, const ReasonCounts& rejected, Json& record_counts);

// As in the report of templates (template_report.h), and back. Throws FormatError.
Json json_of(const TemplateCounts& templates);
TemplateCounts template_counts_in(const Json& json);

}  // namespace bertprep
