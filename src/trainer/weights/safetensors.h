// Safetensors: named tensors in one file, as HuggingFace's library of that name defines it.
//
// 8 bytes little-endian length of the header, the header (JSON: name -> dtype, shape, data_offsets; "__metadata__" ->
// strings), then the values, little-endian, in C order, without gaps.
//
// Files that are written here carry checksums (io/digest.h) of their header and of every tensor, as notes: readers
// that don't know them pass them over. docs/formats/checkpoint.md lays them out.
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
  std::optional<std::uint64_t> checksum = {};  // that the file promises
};

// Throws FormatError, which names `path`, when `bytes`, which were read of `tensor`, are not those that were written.
void require_sound(const TensorView& tensor, std::span<const std::byte> bytes, const std::filesystem::path& path);

using TensorNotes = std::vector<std::pair<std::string, std::string>>;

// Replaces `path`; checksums are added to the notes. Throws IoError.
void write_safetensors(const std::filesystem::path& path, const std::vector<TensorView>& tensors,
                       const TensorNotes& notes);

// Whether the first bytes are those of such a file.
bool is_safetensors(std::string_view bytes);

struct TensorTable {
  std::vector<TensorView> tensors;
  TensorNotes notes;
};
// What the bytes of a file hold; views point into them. The header is compared with its checksum where it has one; the
// tensors are for those who read them. Throws FormatError, which names `path`.
TensorTable parse_safetensors(std::string_view bytes, const std::filesystem::path& path);

class SafetensorsFile {
 public:
  // Maps the file; the views live as long as the object. Throws IoError, FormatError.
  explicit SafetensorsFile(const std::filesystem::path& path);

  const std::vector<TensorView>& tensors() const { return table_.tensors; }
  const TensorView* find(const std::string& name) const;  // nullptr when absent
  // The note, or "" when absent.
  std::string note(const std::string& key) const;

 private:
  MappedFile file_;
  TensorTable table_;
};

// Bytes a value of `dtype`; 0 for an unknown one.
std::size_t dtype_bytes(const std::string& dtype);

}  // namespace bertprep
