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
// Makes the file of template definitions, if one is named but missing, before reading the first page.
std::unique_ptr<DocumentSource> open_mediawiki(std::span<const std::filesystem::path> inputs,
                                               const SourceOptions& source, const WikiOptions& options,
                                               RejectSink rejects, const TaskRunner& runner);

}  // namespace bertprep
