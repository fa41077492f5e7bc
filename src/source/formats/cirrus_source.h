// CirrusSource: Wikimedia's search index, which holds the rendered text of each page: a line that names the page, then
// one with its document.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "bertprep/source/document_source.h"
#include "source/input/article_limit.h"
#include "source/input/deferred_work.h"
#include "source/input/input_texts.h"
#include "stream/line_reader.h"

namespace bertprep {

// Whether a text begins with {"index":{"_.
bool begins_as_cirrus(std::string_view text);

// Finishes documents whose text is a line of the index with a page: its text, title, revision and time. Pages outside
// of the namespace of articles, and those without text, are left out.
std::shared_ptr<const DeferredWork> make_deferred_pages();

class CirrusSource final : public DeferredSource {
 public:
  // `rejects` must outlive the object.
  CirrusSource(TextInput input, std::shared_ptr<const DeferredWork> deferred, Rejects& rejects,
               const ArticleLimit& limit = {});

  // Documents are lines, read later by the deferred work. Throws FormatError: the last page is missing.
  bool read(SourceDocument& document) override;

 private:
  std::string place() const;

  std::string name_;
  std::shared_ptr<const DeferredWork> deferred_;
  Rejects& rejects_;
  ArticleLimit limit_;
  LineReader lines_;
  std::optional<std::string> id_;  // of the page that comes next
};

}  // namespace bertprep
