// State dicts of torch in a pickle: which tensors there are, and where in which storage each has its values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trainer/weights/numpy_array.h"
#include "trainer/weights/pickle.h"

namespace bertprep {

// A kind of storage. `dtype` is empty for values that are not read: complex or quantized ones.
struct StorageType {
  std::string_view name;  // FloatStorage …
  std::string_view dtype;
  std::size_t value_bytes;
};

// What a pickle says of the storage that it keeps elsewhere.
struct StorageNote {
  const StorageType* type;
  std::string_view key;
  std::uint64_t first = 0;  // value with which it begins: not 0 for a view of a storage, as torch before 0.4 wrote them
};

struct StateTensor {
  StorageNote storage;
  std::uint64_t first = 0;  // value of the storage with which it begins
  std::vector<std::int64_t> shape{};
  std::vector<std::int64_t> strides{};  // in values, as many as there are lengths

  std::uint64_t count() const;  // values; fits 64 bits
};

// All names and keys are views into the bytes of the pickle.
struct StateDict {
  struct Entry {
    std::string_view name;
    PickleId value;
    // Neither for what is no tensor that can be read.
    std::optional<StateTensor> tensor;
    std::optional<NumpyArray> array;
  };
  std::vector<Entry> entries;
};

// Takes the pickle's value, or what trainers put a state dict into: {"model": …}, {"state_dict": …}, {"module": …} and
// {"model_state_dict": …}. Throws FormatError, which names `where`, when there is none.
StateDict find_state_dict(const PickleTree& pickle, const std::string& where);

// "module.name" of a class, a function, or of what a call calls: to say what was found instead.
std::string describe_pickled(const PickleTree& pickle, PickleId id);

// The types of all storages in the pickle by key. Throws FormatError for one of a kind that is not known.
std::unordered_map<std::string_view, const StorageType*> storage_types(const PickleTree& pickle,
                                                                       const std::string& where);

}  // namespace bertprep
