// Any bytes: a pickle is refused with FormatError, or every value refers to values that are there, and a state dict in
// it has tensors whose values can be asked for.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "bertprep/base/error.h"
#include "trainer/weights/pickle.h"
#include "trainer/weights/state_dict.h"
#include "trainer/weights/tensor_values.h"

namespace {

using bertprep::PickleId;

void check_references(const bertprep::PickleTree& pickle) {
  const auto is_there = [&](PickleId id) { return id < pickle.values.size(); };
  if (!is_there(pickle.root)) std::abort();
  for (const bertprep::PickleValue& value : pickle.values) {
    for (const PickleId item : value.items) {
      if (!is_there(item)) std::abort();
    }
    const bool is_call = value.kind == bertprep::PickleValue::Kind::Call;
    if (is_call && (!is_there(value.callable) || !is_there(value.arguments))) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static constexpr std::array<std::byte, 64> kStorage{};
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const bertprep::PickleTree pickle = bertprep::parse_pickle(bytes, "fuzz");
    check_references(pickle);
    std::vector<std::byte> gathered;
    for (const auto& entry : bertprep::find_state_dict(pickle, "fuzz").entries) {
      try {
        if (entry.array && array_values(entry.name, *entry.array, gathered, "fuzz").size() > size) std::abort();
        if (!entry.tensor) continue;
        const auto values = tensor_values(entry.name, *entry.tensor, {kStorage}, gathered, "fuzz");
        if (values.size() != entry.tensor->count() * entry.tensor->storage.type->value_bytes) std::abort();
      } catch (const bertprep::FormatError&) {
      }
    }
  } catch (const bertprep::FormatError&) {
  }
  return 0;
}
