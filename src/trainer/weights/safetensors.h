// Safetensors: named tensors in one file, as HuggingFace's library of that name defines it.
//
// 8 bytes little-endian length of the header, the header (JSON: name -> dtype, shape, data_offsets; "__metadata__" ->
// strings), then the values, little-endian, in C order, without gaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
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
};

using TensorNotes = std::vector<std::pair<std::string, std::string>>;

// Replaces `path`. Throws IoError.
void write_safetensors(const std::filesystem::path& path, const std::vector<TensorView>& tensors,
                       const TensorNotes& notes);

// Whether the first bytes are those of such a file.
bool is_safetensors(std::string_view bytes);

struct TensorTable {
  std::vector<TensorView> tensors;
  TensorNotes notes;
};
// What the bytes of a file hold; views point into them. Throws FormatError, which names `path`.
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
