// Indexed datasets of Megatron-LM: PREFIX.bin has only the ids of all sequences; PREFIX.idx says where each sequence
// begins and which of them make a document.
//
// PREFIX.idx: "MMIDIDX", two zero bytes, u64 version 1, u8 type of the ids, u64 sequences, u64 documents + 1; then the
// length of each sequence in ids (i32), its offset in PREFIX.bin (i64), and a 0, then for each document the number of
// sequences up to its end (i64). Little-endian, unaligned. Source: what IndexedDatasetBuilder of NVIDIA/Megatron-LM
// writes, byte for byte (docs/formats/sequences.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/output_file.h"
#include "io/pending_file.h"
#include "shard/id_type.h"

namespace bertprep {

// The first bytes of an index.
inline constexpr std::string_view kMegatronMagic("MMIDIDX\0\0", 9);

// As preprocess_data.py chooses it: uint16 below 65,500 pieces.
IdType megatron_id_type(std::size_t vocab_size);

// MegatronIndex: PREFIX.idx, in memory.
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

// MegatronView: a PREFIX.idx of any origin, possibly damaged: its numbers may contradict each other.
class MegatronView {
 public:
  // `bytes` must outlive it. Throws FormatError if they are not an index, have another version, or are truncated.
  explicit MegatronView(std::string_view bytes);

  // The file's code for the type of ids: 1 u8, 2 i8, 3 i16, 4 i32, 5 i64, 6 f64, 7 f32, 8 u16.
  std::uint8_t type_code() const { return type_code_; }
  std::uint64_t sequences() const { return sequences_; }
  std::uint64_t document_ends() const { return document_ends_; }  // one more than documents, in a valid file

  std::int32_t length(std::uint64_t sequence) const;  // in ids
  std::int64_t offset(std::uint64_t sequence) const;  // in PREFIX.bin, in bytes
  std::int64_t document_end(std::uint64_t i) const;   // in sequences

 private:
  std::string_view bytes_;
  std::uint8_t type_code_ = 0;
  std::uint64_t sequences_ = 0;
  std::uint64_t document_ends_ = 0;
};

// Bytes of an id; 0 if the type is not an integer type or is unknown.
unsigned megatron_id_bytes(std::uint8_t type_code);
bool is_megatron_type_signed(std::uint8_t type_code);
// "uint16"
std::string megatron_type_name(std::uint8_t type_code);

struct MegatronPaths {
  explicit MegatronPaths(const std::filesystem::path& prefix) : bin(prefix), idx(prefix) {
    bin += ".bin";
    idx += ".idx";
  }
  std::filesystem::path bin;
  std::filesystem::path idx;
};

// MegatronSet: writes the two files of an indexed dataset from documents or from other sets.
//
// For one thread at a time. Memory: 12 bytes per sequence and 8 per document.
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
