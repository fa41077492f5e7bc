// PubmedSource: a file of PubMed's XML, of the annual baseline or an update: each citation is a document.
#pragma once

#include <memory>
#include <vector>

#include "bertprep/source/document_source.h"
#include "source/input/article_limit.h"
#include "source/input/deferred_work.h"
#include "source/input/input_texts.h"
#include "source/pubmed/citation_records.h"

namespace bertprep {

class PubmedSource final : public DocumentSource {
 public:
  // Documents are citations in XML, read later by `deferred` (citation.h).
  PubmedSource(TextInput input, std::shared_ptr<const DeferredWork> deferred, const ArticleLimit& limit = {});

  // Throws as CitationRecords does.
  bool next(Document& document) override;

  // The citations that the file deletes. Those read before were already returned.
  std::vector<RecordRemark> take_remarks() override;

 private:
  std::string place() const;
  void remark_deletions(std::string_view record);

  std::string name_;
  CitationRecords records_;
  std::shared_ptr<const DeferredWork> deferred_;
  ArticleLimit limit_;
  std::vector<RecordRemark> remarks_;
};

}  // namespace bertprep
