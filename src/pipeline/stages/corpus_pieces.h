// The pieces of a corpus: what the tasks of an array read, each on its own (docs/formats/pieces.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "base/task_runner.h"
#include "bertprep/pipeline/stages.h"
#include "source/input/input_piece.h"
#include "stream/byte_stream.h"

namespace bertprep {

// What the wiki room is to read of a part in the format mediawiki: its inputs, or, where patterns choose among the
// files of folders, these files. Of archives all members are read.
std::vector<std::filesystem::path> dump_inputs(const CorpusPart& part);

// open_corpus(), whose bytes `observer`, which may be null and outlives it, is to see.
std::unique_ptr<DocumentSource> open_observed_corpus(std::span<const CorpusPart> parts, RejectSink rejects,
                                                     const TaskRunner& runner, ReadObserver* observer);

struct CorpusPiece {
  std::size_t part = 0;
  InputPiece input;
  bool operator==(const CorpusPiece&) const = default;
};

// Of about `piece_bytes` each, in the order of the corpus; they depend on the files and on that number only. Reads
// files that it cuts from front to back, for the numbers of their lines. A file of template definitions that is named
// and does not exist is made. Throws as open_corpus() and reading its first document do.
std::vector<CorpusPiece> cut_corpus(std::span<const CorpusPart> parts, std::uint64_t piece_bytes,
                                    const TaskRunner& runner);

// The documents of one piece. All pieces in their order give exactly the documents, origins, rejections and notes of
// open_corpus(parts); what is wrong with a file as a whole is thrown by the piece in which it lies. A piece without
// any article is no error. Throws as open_corpus() does.
std::unique_ptr<DocumentSource> open_corpus_piece(std::span<const CorpusPart> parts, const CorpusPiece& piece,
                                                  RejectSink rejects, const TaskRunner& runner);

// `documents[i]` is how many next() of pieces[i] gave, those included that are rejected when they are finished. Throws
// the FormatError of open_corpus() for an input without a single article, in formats where it is one.
void require_articles(std::span<const CorpusPart> parts, std::span<const CorpusPiece> pieces,
                      std::span<const std::uint64_t> documents);

// open_corpus() with threads of the caller's, which help to decompress.
std::unique_ptr<DocumentSource> open_corpus(std::span<const CorpusPart> parts, RejectSink rejects,
                                            const TaskRunner& runner);

}  // namespace bertprep
