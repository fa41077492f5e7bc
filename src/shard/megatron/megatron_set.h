// MegatronSet: documents -> the two files of an indexed dataset; and one set made of several.
//
// Threads: one at a time. Memory: 12 bytes a sequence and 8 a document.
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
  // Both unfinished; they get their names from whoever takes them.
  MegatronSet(PendingFile bin, PendingFile idx, IdType type);

  // Throws FormatError for an id that does not fit into the type; IoError.
  void add_sequence(std::span<const std::int32_t> ids);
  void end_document() { index_.end_document(); }
  // A finished set behind what is here. Throws FormatError, IoError.
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
