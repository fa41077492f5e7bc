// RunBlock: writes runs of bytes as one deflate block, with a code learnt from the first runs it sees.
#pragma once

#include <optional>

#include "shard/bit_writer.h"
#include "shard/block_code.h"
#include "shard/byte_runs.h"

namespace bertprep {

class RunBlock {
 public:
  // The code is learnt again only when bytes occur that it has no room for, so that what is written depends
  // on the runs given so far and nothing else.
  void write(const ByteRuns& runs, bool last, BitWriter& writer);

 private:
  std::optional<BlockCode> code_;
  unsigned alphabet_bits_ = 0;
};

}  // namespace bertprep
