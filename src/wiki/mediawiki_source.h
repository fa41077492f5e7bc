// open_mediawiki: dumps of MediaWiki wikis -> articles.
#pragma once

#include <filesystem>
#include <memory>
#include <span>

#include "base/task_runner.h"
#include "bertprep/source/document_source.h"
#include "bertprep/source/open_source.h"
#include "bertprep/wiki/wiki_options.h"

namespace bertprep {

// Streams the pages of the main namespace that are no redirects, in the order of the dumps (docs/formats/dump.md).
// next() gives the markup of a page; the document's deferred work turns it into text. Memory: some blocks of bzip2 and
// a page; a page of more than 16 MB is rejected.
//
// Titles and addresses are as they stand in the XML: "AT&amp;T". Document::layout is kReference unless options.clean.
//
// Throws ConfigError and IoError at once, as open_source does. Rejected are: damaged parts, pages that are cut by them,
// not UTF-8 or too long, pages of the same id as the one before, and pages whose markup takes too much work. A dump
// that is cut or no dump makes next() throw FormatError behind the last page of the last dump; with `source.strict`,
// and without `rejects`, at once.
//
// A file of template definitions that is named and does not exist is made before the first page is read.
std::unique_ptr<DocumentSource> open_mediawiki(std::span<const std::filesystem::path> inputs,
                                               const SourceOptions& source, const WikiOptions& options,
                                               RejectSink rejects, const TaskRunner& runner);

}  // namespace bertprep
