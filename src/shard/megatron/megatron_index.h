// Indexed datasets of Megatron-LM: PREFIX.bin has only the ids of all sequences; PREFIX.idx says where each sequence
// begins and which of them make a document.
//
// PREFIX.idx: "MMIDIDX", two zero bytes, u64 version 1, u8 type of the ids, u64 sequences, u64 documents + 1; then the
// length of each sequence in ids (i32), its offset in PREFIX.bin (i64), and a 0, then for each document the number of
// sequences up to its end (i64). Little-endian, unaligned. Source: what IndexedDatasetBuilder of NVIDIA/Megatron-LM
// writes, byte for byte (docs/formats/sequences.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shard/id_type.h"

namespace bertprep {

// The first bytes of an index.
inline constexpr std::string_view kMegatronMagic("MMIDIDX\0\0", 9);

// As preprocess_data.py chooses it: uint16 below 65,500 pieces.
IdType megatron_id_type(std::size_t vocab_size);

class MegatronIndex {
 public:
  // `type`: kUint16 or kInt32, the only ones that trainers of text read.
  explicit MegatronIndex(IdType type);
  // Throws FormatError with `name` if `bytes` are not an index, or its numbers contradict each other.
  static MegatronIndex parse(std::string_view bytes, const std::string& name);

  void add_sequence(std::uint64_t ids);
  void end_document() { document_ends_.push_back(lengths_.size()); }
  // Appends a set whose ids follow this one's. Throws FormatError if its type differs.
  void append(const MegatronIndex& other);

  IdType type() const { return type_; }
  std::uint64_t sequences() const { return lengths_.size(); }
  std::uint64_t documents() const { return document_ends_.size() - 1; }
  std::uint64_t ids() const { return ids_; }
  const std::vector<std::int32_t>& lengths() const { return lengths_; }
  const std::vector<std::uint64_t>& document_ends() const { return document_ends_; }
  std::string bytes() const;

 private:
  IdType type_;
  std::uint64_t ids_ = 0;
  std::vector<std::int32_t> lengths_;
  std::vector<std::uint64_t> document_ends_{0};
};

}  // namespace bertprep
