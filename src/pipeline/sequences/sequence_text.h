// The text of a unit, or its documents in any format -> token ids, block by block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/instance/instance_set.h"
#include "bertprep/source/open_source.h"
#include "bertprep/token/text_encoder.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/sequences/document_encoder.h"
#include "pipeline/sequences/sequence_units.h"
#include "pipeline/sequences/sequences.h"
#include "pipeline/stages/format_pass.h"
#include "pipeline/work/worker_pool.h"

namespace bertprep {

using EncoderPool = WorkerPool<TextEncoder>;

// How lines of a unit become ids.
enum class LineRule {
  kSentences,        // of a text shard, each separately
  kJoinedSentences,  // of a text shard, joined by blanks
  kArticles,         // each line is an article of one sentence
  kRows,             // each line is a row, with its line feed; one of only white space is empty
  kDetokenizedRows
};

struct SequenceText {
  std::string sha256;  // over file_sha256, as SequenceUnit::text_sha256()
  std::uint64_t bytes = 0;
  std::vector<std::string> file_sha256;  // of the text of each input; of a file of documents, as it is stored
  // Of documents.
  std::uint64_t line_breaks = 0;
  ReasonCounts rejected{};
  ReasonCounts left_out{};
};

// Calls `add` for the ids of every block of articles, in order. Tokenizes blocks on up to `threads` threads; articles
// without ids are dropped, but not rows. Throws FormatError for invalid UTF-8 and for an article of more than
// `max_bytes`; IoError, Cancelled.
SequenceText tokenize_unit(const SequenceUnit& unit, LineRule rule, std::uint64_t max_bytes, EncoderPool& encoders,
                           std::size_t threads, const Progress& progress,
                           const std::function<void(const TokenizedDocuments&)>& add);

// How documents are read and what becomes of them.
struct DocumentRule {
  SourceOptions source;  // max_article must be set
  bool as_is = true;     // else as one line
  LineEnds line_ends = LineEnds::kKeep;
  const DocumentEncoder& encoder;
  FormatPass pass;
  std::vector<Origin>* origins = nullptr;  // gets that of every article, if given
};

// The name of its rejects file.
std::string rejects_name(const SequenceUnit& unit);

// As tokenize_unit(), for a unit of documents. Bad records go to the rejects file of the unit, in the state folder of
// `folder`, and to `progress`; without a folder, they are errors. Throws as open_source() and FormatPass::run() do.
SequenceText tokenize_documents(const SequenceUnit& unit, const DocumentRule& rule, EncoderPool& encoders,
                                const OutputFolder* folder, Progress& progress,
                                const std::function<void(const TokenizedDocuments&)>& add);

}  // namespace bertprep
