// The text of a unit -> token ids, block by block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/instance/instance_set.h"
#include "pipeline/sequences/sequence_units.h"
#include "pipeline/stages/shard_workers.h"

namespace bertprep {

struct SequenceText {
  std::string sha256;  // digest_text() of the inputs
  std::uint64_t bytes = 0;
  std::vector<std::string> file_sha256;  // of the text of each input
};

// Calls `add` for the ids of every block of articles, in order. Blocks are tokenized on up to `threads` threads; an
// article without ids is none. Throws FormatError for invalid UTF-8 and for an article of more than `most_bytes`;
// IoError, Cancelled.
SequenceText tokenize_unit(const SequenceUnit& unit, std::uint64_t most_bytes, ShardWorkers& workers,
                           std::size_t threads, const Progress& progress,
                           const std::function<void(const TokenizedDocuments&)>& add);

}  // namespace bertprep
