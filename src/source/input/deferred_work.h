// DeferredSource: the library's own sources, which leave work on their documents to their caller, and know how far they
// have read.
#pragma once

#include <memory>
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

// ReadPlace: how far a corpus has been read, so that another process can resume after the same document.
struct ReadPlace {
  std::size_t part = 0;         // of the corpus
  std::size_t input = 0;        // of the part; 0 for dumps
  std::size_t file = 0;         // of the input, as read; of all dumps
  std::uint64_t documents = 0;  // of the file, up to and including the last one

  // Where reading may begin instead of the start of the file, if the file can be cut there: the last record, or the
  // block of bzip2 with the last page. Nothing if `documents_from_byte` is 0.
  std::uint64_t byte = 0;
  std::uint64_t line = 0;                 // its number
  std::uint64_t documents_from_byte = 0;  // up to and including the last one

  bool operator==(const ReadPlace&) const = default;
};

// A source that knows the place of its last document.
class PlacedSource : public DeferredSource {
 public:
  // Nothing once there was a fault that is reported at the end: who resumes would not know it.
  virtual std::optional<ReadPlace> place() const = 0;
};

}  // namespace bertprep
