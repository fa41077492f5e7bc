// The pieces of a corpus: the parts that the tasks of an array read independently (docs/formats/pieces.md).
#pragma once

#include "base/task_runner.h"
#include "bertprep/pipeline/stages.h"
#include "source/input/deferred_work.h"
#include "source/input/input_piece.h"

namespace bertprep {

bool is_mediawiki(const CorpusPart& part);

// The files that the wiki room reads for a part in the format mediawiki: its inputs or, if patterns select files of
// folders, these files. Of archives, all members are read.
std::vector<std::filesystem::path> dump_inputs(const CorpusPart& part);

// Whether a bad record of any part is an error.
bool is_strict(std::span<const CorpusPart> parts);

// open_corpus() with the caller's threads, which help to decompress; `observer`, which may be null and must outlive the
// result, receives the bytes read.
std::unique_ptr<PlacedSource> open_corpus(std::span<const CorpusPart> parts, RejectSink rejects,
                                          const TaskRunner& runner, ReadObserver* observer = nullptr);
// Only the documents after the one at `place`, with their remarks and rejects, from files that have not changed since.
// Enters the file there if it can be cut, else reads what precedes it in the file again. Throws FormatError if the file
// is another one, and as open_corpus().
std::unique_ptr<PlacedSource> open_corpus_after(std::span<const CorpusPart> parts, const ReadPlace& place,
                                                RejectSink rejects, const TaskRunner& runner);

struct CorpusPiece {
  std::size_t part = 0;
  InputPiece input;
  bool operator==(const CorpusPiece&) const = default;
};

// Pieces of about `piece_bytes` each, in the order of the corpus, which depend only on the files and that number. Reads
// all of the files that it splits, to number their lines, unless `marks` were set while they were read before. Makes
// the file of template definitions if one is named but missing. Throws as open_corpus() and reading its first document.
std::vector<CorpusPiece> split_into_pieces(std::span<const CorpusPart> parts, std::uint64_t piece_bytes,
                                           const TaskRunner& runner, const LineMarks& marks = {});

// The documents of one piece. All pieces in order give exactly the documents, origins, rejections and notes of
// open_corpus(parts); a fault of a whole file is thrown by the piece with that place. A piece without any article is
// not an error. Throws as open_corpus().
std::unique_ptr<PlacedSource> open_corpus_piece(std::span<const CorpusPart> parts, const CorpusPiece& piece,
                                                RejectSink rejects, const TaskRunner& runner);

// `documents[i]` is the number of documents of pieces[i], including those rejected later. Throws open_corpus()'s
// FormatError for an input without any article, in formats where that is an error.
void require_articles(std::span<const CorpusPart> parts, std::span<const CorpusPiece> pieces,
                      std::span<const std::uint64_t> documents);

}  // namespace bertprep
