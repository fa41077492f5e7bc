// MegatronView: a PREFIX.idx of any origin, possibly damaged: its numbers may contradict each other. megatron_index.h
// describes the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bertprep {

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

}  // namespace bertprep
