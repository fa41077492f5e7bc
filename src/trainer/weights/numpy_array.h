// Arrays of numpy in a pickle, with their values in it: torch saves the tensors of some accelerators so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trainer/weights/pickle.h"

namespace bertprep {

struct NumpyArray {
  std::string_view dtype;
  std::size_t value_bytes = 0;
  std::vector<std::int64_t> shape{};
  std::string_view bytes{};  // little-endian, in C order
  bool is_text = false;      // each byte is written as a character, in UTF-8: Python before protocol 3
};

// Arrays of floating-point numbers in C order; nullopt for others, and for what is no array.
std::optional<NumpyArray> read_numpy_array(const PickleTree& pickle, PickleId id);

// A view into the pickle, or into `decoded`. Throws FormatError, which names `where` and the array, when it has more or
// fewer values than its shape says.
std::span<const std::byte> array_values(std::string_view name, const NumpyArray& array, std::vector<std::byte>& decoded,
                                        const std::string& where);

}  // namespace bertprep
