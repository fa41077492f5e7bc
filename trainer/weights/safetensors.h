// Safetensors: named tensors in one file, as HuggingFace's library of that name defines it.
//
// 8 bytes little-endian length of the header, the header (JSON: name -> dtype, shape, data_offsets; "__metadata__" ->
// strings), then the values, little-endian, in C order, without gaps.
//
// Files written here have checksums (io/digest.h) of their header and of every tensor in the metadata, which other
// readers ignore; see trainer/docs/checkpoint.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/input_file.h"

namespace bertprep {

struct TensorView {
  std::string name;
  std::string dtype;  // F32, BF16, I64, U8 …
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes;
  std::optional<std::uint64_t> checksum = {};  // according to the file
};

// Throws FormatError, which names `path`, if `bytes`, read from `tensor`, contradict its checksum.
void require_valid(const TensorView& tensor, std::span<const std::byte> bytes, const std::filesystem::path& path);

using TensorNotes = std::vector<std::pair<std::string, std::string>>;

// Replaces `path`; adds checksums to the metadata. Throws IoError.
void write_safetensors(const std::filesystem::path& path, const std::vector<TensorView>& tensors,
                       const TensorNotes& notes);

// Whether the first bytes are those of such a file.
bool is_safetensors(std::string_view bytes);

struct TensorTable {
  std::vector<TensorView> tensors;
  TensorNotes notes;
};
// The content of a file's bytes; views point into them. Checks the header's checksum if it has one; readers check those
// of tensors. Throws FormatError, which names `path`.
TensorTable parse_safetensors(std::string_view bytes, const std::filesystem::path& path);

class SafetensorsFile {
 public:
  // Maps the file; the views live as long as the object. Throws IoError, FormatError.
  explicit SafetensorsFile(const std::filesystem::path& path);

  const std::vector<TensorView>& tensors() const { return table_.tensors; }
  const TensorView* find(const std::string& name) const;  // nullptr when absent
  // The note, or "" if absent.
  std::string note(const std::string& key) const;

 private:
  MappedFile file_;
  TensorTable table_;
};

// Bytes per value of `dtype`; 0 if unknown.
std::size_t dtype_bytes(const std::string& dtype);

}  // namespace bertprep
