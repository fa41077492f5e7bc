// The files that open_source and open_mediawiki read, and their pieces (docs/formats/pieces.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/task_runner.h"
#include "bertprep/source/document_source.h"
#include "bertprep/source/open_source.h"
#include "source/formats/table_source.h"
#include "source/input/input_list.h"
#include "source/input/input_piece.h"
#include "source/input/piece_groups.h"
#include "stream/byte_stream.h"

namespace bertprep {

// Where a file whose records are lines can be cut.
enum class LineCuts {
  kBehindLine,       // a line is a record
  kBehindBlankLine,  // records are groups of lines
};

// At most `pieces` - 1 places, as evenly spread as the lines allow, of a plain file of `file_bytes`; none of a
// compressed file, an archive, or before its first line that is not blank. Reads the file from front to back to number
// its lines. Throws IoError.
std::vector<Cut> cut_lines(const std::filesystem::path& file, std::uint64_t file_bytes, std::uint64_t pieces,
                           LineCuts where, const TaskRunner& runner);

// The same for a plain table: behind records. Reads it with the `most_bytes` of a record that it is going to be read
// with. Throws as TableRecords does.
std::vector<Cut> cut_table(const std::filesystem::path& file, std::uint64_t file_bytes, std::uint64_t pieces,
                           TableKind kind, std::uint64_t most_bytes);

// Whether a plain file of JSON has a record a line. An array has not, and no line tells by itself where an element
// begins.
bool has_json_lines(const std::filesystem::path& file);

// The files that open_source and open_mediawiki read.

// Which files of folders and members of archives are read in this format: those of the format, unless `options` say
// otherwise.
NameChoice choice_of(InputFormat format, const SourceOptions& options);

// `format` as resolve_format gives it. Throws as list_inputs does.
std::vector<Input> list_source(std::span<const std::filesystem::path> inputs, InputFormat format,
                               const SourceOptions& options);

// open_source(), whose bytes `observer`, which may be null and outlives it, is to see.
std::unique_ptr<DocumentSource> open_observed_source(std::span<const std::filesystem::path> inputs,
                                                     const SourceOptions& options, RejectSink rejects,
                                                     const TaskRunner& runner, ReadObserver* observer);

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
