// The files of torch.save before torch 1.6: pickles behind each other (a number to know the format by, its version, the
// machine, the object, the keys of the storages), then each storage: 8 bytes count of values, and the values.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "trainer/weights/pickle.h"

namespace bertprep {

bool is_legacy_torch(std::string_view bytes);

struct LegacyTorch {
  PickleTree object;
  std::unordered_map<std::string_view, std::string_view> storages;  // by key; views into the file
};

// Throws FormatError, which names `where`.
LegacyTorch read_legacy_torch(std::string_view bytes, const std::string& where);

}  // namespace bertprep
