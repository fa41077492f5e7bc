// Any bytes: a file of torch.save is refused with FormatError, or each tensor in it is refused or has its values, which
// are never more than the file.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "bertprep/base/error.h"
#include "trainer/weights/torch_weights.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const auto weights = bertprep::parse_torch_file(bytes, "fuzz");
    for (const std::string& name : weights->names()) {
      try {
        const auto values = weights->tensor(name).bytes;
        if (std::count(values.begin(), values.end(), std::byte{1}) > static_cast<std::ptrdiff_t>(size)) std::abort();
      } catch (const bertprep::FormatError&) {
      }
    }
  } catch (const bertprep::FormatError&) {
  }
  return 0;
}
