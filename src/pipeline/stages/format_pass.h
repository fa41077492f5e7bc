// FormatPass: documents -> formatted text, the origins of articles, and the sentence index, in parallel and in the
// order of the documents; and FormatCounts, what it has counted, which records and checkpoints have as JSON.
#pragma once

#include "pipeline/records/reject_file.h"
#include "pipeline/text_shards/sentence_index.h"
#include "source/input/deferred_work.h"
#include "source/line_pairs.h"
#include "wiki/clean/template_counts.h"

namespace bertprep {

// What formatting has counted, of a corpus or a piece of it.
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

// What takes documents instead of files.
class DocumentTaker {
 public:
  // Documents that one thread takes, in their order.
  class Block {
   public:
    virtual ~Block() = default;
    // False: the document has no text.
    virtual bool add(const SourceDocument& document) = 0;
  };

  virtual ~DocumentTaker() = default;
  // Thread-safe.
  virtual std::unique_ptr<Block> begin_block() = 0;
  // The blocks in order, one at a time.
  virtual void take(Block& block) = 0;
};

// An unfinished file that is written; the first `written` bytes are an earlier process's, and stay.
struct OpenFile {
  explicit OpenFile(PendingFile unfinished, std::uint64_t written = 0)
      : pending(std::move(unfinished)),
        out(written == 0 ? OutputFile(pending.path()) : OutputFile(pending.path(), written)) {}

  PendingFile pending;
  OutputFile out;
};

// Where a pass writes. Null: not written.
struct FormatOutputs {
  OutputFile* text = nullptr;
  bool compress = false;  // the text, as Zstandard frames
  OutputFile* origins = nullptr;
  OutputFile* index = nullptr;
  const BlockSplitter* splitter = nullptr;  // for the index
  DocumentTaker* taker = nullptr;           // instead of all others
};

// What a pass has written so far.
struct FormatState {
  FormatCounts counts;  // without digests
  Sha256 text;          // decompressed
  Sha256 file;          // as written to FormatOutputs::text
  Xxh3 origins;
  Xxh3 index;
};

// Is told that everything up to the document at `place` has been given to the outputs. Not concurrently.
using FormatObserver = std::function<void(const FormatState& state, const ReadPlace& place)>;

// The sink of a source whose bad records a pass reports: they go to `rejections`, which is kept by reference.
RejectSink collect_rejects(std::vector<Rejection>& rejections);

struct FormatPass {
  bool keep_lines = false;  // one line per sentence, an empty line after each article
  bool as_is = false;       // JSON Lines: one document per line, its text unchanged
  bool strict = false;      // a bad record is an error
  bool count_templates = false;
  const TextNormalizer* normalizer = nullptr;  // the caller's; null: none
  std::size_t threads = 1;
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;  // limit: long articles are formatted one at a time

  // Reads `source` to its end, and continues `state`. `observer` may be empty; it is told only of a PlacedSource.
  // `read_rejects` are the bad records since the last call of next(): its owner adds them,
  // this function removes them. `rejects` may be null if there are none. Throws Error.
  FormatCounts run(DocumentSource& source, std::vector<Rejection>& read_rejects, const FormatOutputs& outputs,
                   RejectFile* rejects, Progress& progress, FormatState state = {},
                   const FormatObserver& observer = {}) const;
};

}  // namespace bertprep
