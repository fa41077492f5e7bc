// DeferredWork: what a source leaves to be done with its documents.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "bertprep/source/document_source.h"

namespace bertprep {

// Why a document is left out.
struct Rejection {
  std::string where;   // FILE, FILE:LINE, or the page's title and id
  std::string reason;  // counted by its kind (kind_of_reason)
  std::string record;  // its bytes
};

// The work on a document that needs no order, such as turning markup into text: DocumentSource::next() hands documents
// out one at a time and leaves this to the caller's threads.
class DeferredWork {
 public:
  // Used by one thread at a time; has the buffers that are used again from document to document.
  class Worker {
   public:
    virtual ~Worker() = default;
    // Finishes a document with this deferred work, or says why it is rejected. Throws Error for what ends the stage.
    virtual std::optional<Rejection> finish(Document& document) = 0;
  };

  virtual ~DeferredWork() = default;
  // May be called from several threads at once.
  virtual std::unique_ptr<Worker> make_worker() const = 0;
};

}  // namespace bertprep
