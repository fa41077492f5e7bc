// The pieces of the formats that open_source reads (docs/formats/pieces.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "base/task_runner.h"
#include "bertprep/source/document_source.h"
#include "bertprep/source/open_source.h"
#include "source/input_piece.h"

namespace bertprep {

// Of about `piece_bytes` each; they depend on the files and on that number only. Throws as open_source does at once.
std::vector<InputPiece> cut_source(std::span<const std::filesystem::path> inputs, const SourceOptions& options,
                                   std::uint64_t piece_bytes, const TaskRunner& runner);

// What open_source gives of these bytes; a piece without any article is no error. Throws as open_source does.
std::unique_ptr<DocumentSource> open_source_piece(std::span<const std::filesystem::path> inputs,
                                                  const InputPiece& piece, const SourceOptions& options,
                                                  RejectSink rejects, const TaskRunner& runner);

// open_source() with threads of the caller's, which help to decompress.
std::unique_ptr<DocumentSource> open_source(std::span<const std::filesystem::path> inputs, const SourceOptions& options,
                                            RejectSink rejects, const TaskRunner& runner);

}  // namespace bertprep
