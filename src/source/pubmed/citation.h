// A citation of PubMed -> a document; the XML is read by expat.
//
// Elements: https://dtd.nlm.nih.gov/ncbi/pubmed/doc/out/190101/index.html. Tags within title and abstract, such as <i>
// and <sup>, are dropped but their text is kept; white space becomes one blank.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/source/document_source.h"
#include "source/input/deferred_work.h"

namespace bertprep {

// The numbers of the citations that a <DeleteCitation> names.
std::vector<std::string> deleted_citations(std::string_view record);

// Finishes documents whose text is a record of CitationRecords: sets title, text (title and sections of the abstract as
// paragraphs), PMID, revision date and address. A citation without an abstract is skipped; one that is not XML or has
// no PMID is rejected.
std::shared_ptr<const DeferredWork> make_deferred_citations();

}  // namespace bertprep
