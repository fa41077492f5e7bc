// The files that open_source and open_mediawiki read, and their pieces (docs/formats/pieces.md).
#pragma once

#include "source/formats/table_source.h"

namespace bertprep {

// Where to split a file whose records are lines.
enum class LineSplit {
  kAfterLine,       // a line is a record
  kAfterBlankLine,  // records are groups of lines
};

// At most `pieces` - 1 positions, as even as the lines allow, in a plain file of `file_bytes`; none before the first
// line that is not blank. To number its lines, reads what `marks` doesn't tell: without any, the whole file. Throws
// IoError.
std::vector<SplitPoint> split_lines(const std::filesystem::path& file, std::uint64_t file_bytes, std::uint64_t pieces,
                                    LineSplit where, const LineMarks& marks, const TaskRunner& runner);

// Whether a range of the file (InputPiece) may begin at any of its records, as Origin tells them, except the first.
bool has_ranges(const std::filesystem::path& file, InputFormat format);

// From jsonl to cirrus: what one file of records shows is true of others with its ending.
bool is_of_records(InputFormat format);

// Which files of folders and members of archives are read in this format: those with the format's extension, unless
// `options` say otherwise.
NameChoice choice_of(InputFormat format, const SourceOptions& options);

// `format` as returned by resolve_format. Throws as list_inputs does.
std::vector<Input> list_source(std::span<const std::filesystem::path> inputs, InputFormat format,
                               const SourceOptions& options);

// As open_source(), a PlacedSource with the caller's threads, which help to decompress; `observer`, which may be null
// and must outlive the result, receives the bytes read.
std::unique_ptr<PlacedSource> open_observed_source(std::span<const std::filesystem::path> inputs,
                                                   const SourceOptions& options, RejectSink rejects,
                                                   const TaskRunner& runner, ReadObserver* observer = nullptr);

// Pieces of about `piece_bytes` each, which depend only on the files and that number; `marks` may have been in the
// files, to save reading. Throws what open_source throws immediately.
std::vector<InputPiece> split_source(std::span<const std::filesystem::path> inputs, const SourceOptions& options,
                                     std::uint64_t piece_bytes, const LineMarks& marks, const TaskRunner& runner);

// The documents of open_source in this piece; a piece without any article is not an error. Throws as open_source does.
std::unique_ptr<PlacedSource> open_source_piece(std::span<const std::filesystem::path> inputs, const InputPiece& piece,
                                                const SourceOptions& options, RejectSink rejects,
                                                const TaskRunner& runner);

// The documents of `source`, finished one by one in the thread that calls next(); bad ones go to `rejects`. Without
// `rejects`, next() throws FormatError for them.
std::unique_ptr<DocumentSource> finish_documents(std::unique_ptr<DeferredSource> source, RejectSink rejects);

}  // namespace bertprep
