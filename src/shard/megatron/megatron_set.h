// MegatronSet: writes the two files of an indexed dataset from documents or from other sets.
//
// For one thread at a time. Memory: 12 bytes per sequence and 8 per document.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "io/output_file.h"
#include "io/pending_file.h"
#include "shard/megatron/megatron_index.h"

namespace bertprep {

struct MegatronPaths {
  explicit MegatronPaths(const std::filesystem::path& prefix) : bin(prefix), idx(prefix) {
    bin += ".bin";
    idx += ".idx";
  }
  std::filesystem::path bin;
  std::filesystem::path idx;
};

class MegatronSet {
 public:
  // Both files are unfinished; the caller publishes them.
  MegatronSet(PendingFile bin, PendingFile idx, IdType type);

  // Throws FormatError for an id that does not fit into the type; IoError.
  void add_sequence(std::span<const std::int32_t> ids);
  void end_document() { index_.end_document(); }
  // Appends a finished set. Throws FormatError, IoError.
  void append(const MegatronPaths& part);
  // Throws IoError.
  void finish();

  const MegatronIndex& index() const { return index_; }
  PendingFile& bin() { return bin_; }
  PendingFile& idx() { return idx_; }

 private:
  PendingFile bin_;
  PendingFile idx_;
  OutputFile ids_;
  MegatronIndex index_;
  std::string buffer_;
};

}  // namespace bertprep
