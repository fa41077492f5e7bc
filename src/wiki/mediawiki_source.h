// Dumps of MediaWiki wikis -> articles: whole dumps, and pieces of them.
#pragma once

#include "base/task_runner.h"
#include "bertprep/source/open_source.h"
#include "bertprep/wiki/wiki_options.h"
#include "source/input/deferred_work.h"
#include "source/input/input_piece.h"
#include "stream/byte_stream.h"

namespace bertprep {

// Streams the pages of the main namespace that are not redirects, in the order of the dumps (docs/formats/dump.md).
// next() returns the markup of a page; the document's deferred work turns it into text. Memory: some blocks of bzip2
// and a page; a page of more than 16 MB is rejected.
//
// Titles and addresses are as in the XML: "AT&amp;T". Document::layout is kReference unless options.clean.
//
// Throws ConfigError and IoError immediately, as open_source does. Rejects damaged parts, pages that are truncated by
// them, not UTF-8 or too long, pages with the id of the previous one, and pages whose markup takes too much work. If a
// file is truncated or not a dump, next() throws FormatError after the last page of the last dump; with
// `source.strict`, or without `rejects`, immediately.
//
// Makes the file of template definitions, if one is named but missing, before reading the first page. `observer`, which
// must outlive the result, receives the bytes read. With a piece of the dumps, its documents only, unobserved.
std::unique_ptr<PlacedSource> open_mediawiki(std::span<const std::filesystem::path> inputs, const SourceOptions& source,
                                             const WikiOptions& options, RejectSink rejects, const TaskRunner& runner,
                                             ReadObserver* observer = nullptr, const InputPiece* piece = nullptr);

// Pieces of dumps (docs/formats/pieces.md) of about `piece_bytes` each, which depend only on the files and that number.
// Makes the file of template definitions if one is named but missing. Throws what open_mediawiki throws immediately,
// and IoError.
std::vector<InputPiece> split_mediawiki(std::span<const std::filesystem::path> inputs, const WikiOptions& options,
                                        std::uint64_t piece_bytes, const TaskRunner& runner);

// Whether a range of the file (InputPiece) may begin at `begin`, the byte of a page. Throws IoError.
bool dump_has_range(const std::filesystem::path& file, std::uint64_t begin, const WikiOptions& options,
                    const TaskRunner& runner);

}  // namespace bertprep
