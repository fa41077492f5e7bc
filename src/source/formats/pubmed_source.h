// PubMed's XML, of the annual baseline or an update: each citation is a document, with its title and the sections of
// its abstract as paragraphs. A citation without an abstract is left out; one that is not XML or has no PMID is
// rejected.
#pragma once

#include "source/input/record_source.h"

namespace bertprep {

// The citations in a file, extracted without parsing it: each <PubmedArticle> and <PubmedBookArticle> with its tags. A
// record without an end extends to the beginning of the next one or the end of the set. next() throws FormatError if
// the file ends before </PubmedArticleSet>. What a <DeleteCitation> names becomes a remark.
std::unique_ptr<RecordCutter> citation_records(std::string name, std::unique_ptr<ByteStream> bytes,
                                               std::uint64_t max_bytes);

OpenText pubmed_reader(const CorpusReading& reading);

}  // namespace bertprep
