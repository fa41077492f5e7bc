// ReadPlace: how far a corpus has been read, so that another process can resume after the same document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "source/input/deferred_work.h"

namespace bertprep {

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
