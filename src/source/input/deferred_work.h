// DeferredWork: work on documents that a source leaves to its caller.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bertprep/source/document_source.h"

namespace bertprep {

struct TemplateCounts;
class DeferredWork;

// A document as the library's sources read it.
struct SourceDocument : Document {
  // A remark on how it was read that is not an error, such as a guessed encoding; mostly empty.
  std::string note{};
  // Why it has no text, if its deferred work knows: "redirect". It is then left out and counted under this reason.
  std::string left_out{};
  // The remaining work, or null if the article is finished.
  std::shared_ptr<const DeferredWork> deferred{};
};

// A source that leaves work on its documents to its caller.
class DeferredSource : public DocumentSource {
 public:
  // As next().
  virtual bool read(SourceDocument& document) = 0;
  // Without the work, which finish_documents() does.
  bool next(Document& document) final {
    SourceDocument own;
    const bool is_one = read(own);
    document = std::move(own);
    return is_one;
  }
};

// Why a document is rejected.
struct Rejection {
  std::string where;   // FILE, FILE:LINE, or the page's title and id
  std::string reason;  // counted by its kind (kind_of_reason)
  std::string record;  // the bytes of the record
};

// FILE, or FILE:LINE if its format has lines.
inline std::string place_of(const Origin& origin) {
  return origin.line == 0 ? origin.source : origin.source + ":" + std::to_string(origin.line);
}

// Work that is independent of the order of documents, such as turning markup into text. DeferredSource::read() returns
// documents one at a time and leaves this work to the caller's threads.
class DeferredWork {
 public:
  // For one thread at a time; has buffers that are reused for each document.
  class Worker {
   public:
    virtual ~Worker() = default;
    // Finishes a document with this deferred work, or returns why it is rejected. Throws Error if the stage must end.
    virtual std::optional<Rejection> finish(SourceDocument& document) = 0;
    // For wiki pages: counts the templates of the following documents there; null: doesn't count.
    virtual void count_templates(TemplateCounts* /*counts*/) {}
  };

  virtual ~DeferredWork() = default;
  // May be called from several threads at once.
  virtual std::unique_ptr<Worker> make_worker() const = 0;
};

}  // namespace bertprep
