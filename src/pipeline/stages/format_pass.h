// FormatPass: documents -> formatted text, the origins of articles, and the sentence index, in parallel and in the
// order of the documents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/source/document_source.h"
#include "io/output_file.h"
#include "pipeline/records/reject_file.h"
#include "pipeline/text_shards/sentence_index.h"
#include "source/input/deferred_work.h"
#include "wiki/clean/template_counts.h"

namespace bertprep {

// Where a pass writes. Null: not written.
struct FormatOutputs {
  OutputFile* text = nullptr;
  bool compress = false;  // the text, as Zstandard frames
  OutputFile* origins = nullptr;
  OutputFile* index = nullptr;
  const BlockSplitter* splitter = nullptr;  // for the index
};

struct FormatCounts {
  std::uint64_t documents = 0;
  std::uint64_t articles = 0;
  ReasonCounts left_out;             // documents without text
  std::uint64_t source_bytes = 0;    // of the text of documents
  std::uint64_t reported_bytes = 0;  // to the progress: of the input, or of text if the source has no input bytes
  std::uint64_t text_bytes = 0;
  std::uint64_t sentences = 0;
  bool has_origins = false;  // a document has a title or an origin
  TemplateCounts templates;  // of wiki pages, if the pass counts them
  std::string text_sha256;   // decompressed
  std::string file_sha256;   // as written to FormatOutputs::text
};

struct FormatPass {
  bool keep_lines = false;  // one line per sentence, an empty line after each article
  bool strict = false;      // a bad record is an error
  bool count_templates = false;
  const TextNormalizer* normalizer = nullptr;  // the caller's; null: none
  std::size_t threads = 1;
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;  // limit: long articles are formatted one at a time

  // Reads `source` to its end. `read_rejects` are the bad records since the last call of next(): its owner adds them,
  // this function removes them. `rejects` may be null if there are none. Throws Error.
  FormatCounts run(DocumentSource& source, std::vector<Rejection>& read_rejects, const FormatOutputs& outputs,
                   RejectFile* rejects, Progress& progress) const;
};

}  // namespace bertprep
