// The pieces of dumps (docs/formats/pieces.md), and observers of reading.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "base/task_runner.h"
#include "bertprep/source/document_source.h"
#include "bertprep/source/open_source.h"
#include "bertprep/wiki/wiki_options.h"
#include "source/input/input_piece.h"
#include "stream/byte_stream.h"

namespace bertprep {

// Pieces of about `piece_bytes` each, which depend only on the files and that number. Makes the file of template
// definitions if one is named but missing. Throws what open_mediawiki throws immediately, and IoError.
std::vector<InputPiece> cut_mediawiki(std::span<const std::filesystem::path> inputs, const WikiOptions& options,
                                      std::uint64_t piece_bytes, const TaskRunner& runner);

// The documents of open_mediawiki in this piece. Throws as it does.
std::unique_ptr<DocumentSource> open_mediawiki_piece(std::span<const std::filesystem::path> inputs,
                                                     const InputPiece& piece, const SourceOptions& source,
                                                     const WikiOptions& options, RejectSink rejects,
                                                     const TaskRunner& runner);

// As open_mediawiki; `observer`, which may be null and must outlive the result, receives the bytes read.
std::unique_ptr<DocumentSource> open_observed_mediawiki(std::span<const std::filesystem::path> inputs,
                                                        const SourceOptions& source, const WikiOptions& options,
                                                        RejectSink rejects, const TaskRunner& runner,
                                                        ReadObserver* observer);

}  // namespace bertprep
