// Any bytes: a file of tensors is refused with FormatError, or every view is within it and matches its shape.
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

#include "bertprep/base/error.h"
#include "trainer/weights/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  bertprep::TensorTable table;
  try {
    table = bertprep::parse_safetensors(bytes, "fuzz");
  } catch (const bertprep::FormatError&) {
    return 0;
  }
  const auto whole = std::as_bytes(std::span(bytes));
  for (const bertprep::TensorView& tensor : table.tensors) {
    if (tensor.bytes.empty()) continue;
    if (tensor.bytes.data() < whole.data() || tensor.bytes.size() > size) std::abort();
    if (tensor.bytes.data() + tensor.bytes.size() > whole.data() + size) std::abort();
    std::uint64_t values = 1;
    for (const std::int64_t length : tensor.shape) values *= static_cast<std::uint64_t>(length);
    if (values * bertprep::dtype_bytes(tensor.dtype) != tensor.bytes.size()) std::abort();
  }
  return 0;
}
