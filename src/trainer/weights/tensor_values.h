// The values of a tensor that lies in its storage with strides.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trainer/weights/state_dict.h"

namespace bertprep {

enum class ByteOrder { Little, Big };

struct StorageBytes {
  std::span<const std::byte> bytes;
  ByteOrder order = ByteOrder::Little;
};

// In C order and little-endian: a view into the storage, or into `gathered` where they lie elsewise there. Throws
// FormatError, which names `where` and the tensor, for one that does not lie within its storage.
std::span<const std::byte> tensor_values(std::string_view name, const StateTensor& tensor, StorageBytes storage,
                                         std::vector<std::byte>& gathered, const std::string& where);

}  // namespace bertprep
