#include "trainer/weights/tensor_values.h"

#include <algorithm>
#include <optional>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

// Behind the last value of the tensor in its storage; nullopt beyond 64 bits.
std::optional<std::uint64_t> end_of(const StateTensor& tensor) {
  std::uint64_t last = 0;
  if (__builtin_add_overflow(tensor.first, tensor.storage.first, &last)) return std::nullopt;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    std::uint64_t steps = 0;
    const auto length = static_cast<std::uint64_t>(tensor.shape[i]);
    if (__builtin_mul_overflow(length - 1, static_cast<std::uint64_t>(tensor.strides[i]), &steps)) return std::nullopt;
    if (__builtin_add_overflow(last, steps, &last)) return std::nullopt;
  }
  return last == UINT64_MAX ? std::nullopt : std::optional(last + 1);
}

bool is_in_c_order(const StateTensor& tensor) {
  std::int64_t stride = 1;
  for (std::size_t i = tensor.shape.size(); i-- > 0;) {
    if (tensor.shape[i] != 1 && tensor.strides[i] != stride) return false;
    stride *= tensor.shape[i];
  }
  return true;
}

// Places of the values in C order, from 0 on.
class Places {
 public:
  explicit Places(const StateTensor& tensor) : tensor_(tensor), index_(tensor.shape.size()) {}
  std::uint64_t next() {
    const std::uint64_t place = place_;
    for (std::size_t i = index_.size(); i-- > 0;) {
      const auto stride = static_cast<std::uint64_t>(tensor_.strides[i]);
      if (++index_[i] < tensor_.shape[i]) {
        place_ += stride;
        break;
      }
      place_ -= stride * static_cast<std::uint64_t>(tensor_.shape[i] - 1);
      index_[i] = 0;
    }
    return place;
  }

 private:
  const StateTensor& tensor_;
  std::vector<std::int64_t> index_;
  std::uint64_t place_ = 0;
};

}  // namespace

std::span<const std::byte> tensor_values(std::string_view name, const StateTensor& tensor, StorageBytes storage,
                                         std::vector<std::byte>& gathered, const std::string& where) {
  const std::uint64_t count = tensor.count();
  if (count == 0) return {};
  const std::size_t width = tensor.storage.type->value_bytes;
  const std::uint64_t values = storage.bytes.size() / width;
  const auto end = end_of(tensor);
  // One that repeats values could be larger than the file.
  if (!end || *end > values || count > values) {
    throw FormatError("the tensor '" + std::string(name) + "' lies outside of its storage '" +
                          std::string(tensor.storage.key) + "', which has " + std::to_string(values) + " values",
                      where, "the file is damaged: get it again");
  }
  const auto source = storage.bytes.subspan((tensor.storage.first + tensor.first) * width);
  if (storage.order == ByteOrder::Little && is_in_c_order(tensor)) return source.first(count * width);
  gathered.resize(count * width);
  Places places(tensor);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto value = source.subspan(places.next() * width, width);
    const auto target = gathered.begin() + static_cast<std::ptrdiff_t>(i * width);
    if (storage.order == ByteOrder::Little) {
      std::copy(value.begin(), value.end(), target);
    } else {
      std::reverse_copy(value.begin(), value.end(), target);
    }
  }
  return gathered;
}

}  // namespace bertprep
