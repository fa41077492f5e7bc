// The pieces of dumps (docs/formats/pieces.md), and who sees dumps read.
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

// Of about `piece_bytes` each; they depend on the files and on that number only. A file of template definitions that
// is named and does not exist is made. Throws as open_mediawiki does at once, and IoError.
std::vector<InputPiece> cut_mediawiki(std::span<const std::filesystem::path> inputs, const WikiOptions& options,
                                      std::uint64_t piece_bytes, const TaskRunner& runner);

// What open_mediawiki gives of these bytes. Throws as it does.
std::unique_ptr<DocumentSource> open_mediawiki_piece(std::span<const std::filesystem::path> inputs,
                                                     const InputPiece& piece, const SourceOptions& source,
                                                     const WikiOptions& options, RejectSink rejects,
                                                     const TaskRunner& runner);

// open_mediawiki, whose bytes `observer`, which may be null and outlives it, is to see.
std::unique_ptr<DocumentSource> open_observed_mediawiki(std::span<const std::filesystem::path> inputs,
                                                        const SourceOptions& source, const WikiOptions& options,
                                                        RejectSink rejects, const TaskRunner& runner,
                                                        ReadObserver* observer);

}  // namespace bertprep
