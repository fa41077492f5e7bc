#include "trainer/weights/numpy_array.h"

#include <array>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

using Kind = PickleValue::Kind;

constexpr std::size_t kMostDimensions = 8;

struct NumpyType {
  std::string_view name;
  std::string_view dtype;
  std::size_t bytes;
};
constexpr std::array<NumpyType, 3> kTypes{{{"f4", "F32", 4}, {"f2", "F16", 2}, {"f8", "F64", 8}}};

bool is_text(const PickleTree& pickle, PickleId id, std::string_view text) {
  return pickle.at(id).kind == Kind::Text && pickle.at(id).text == text;
}

// numpy.dtype("f4", …), whose state has the order of bytes in second place.
const NumpyType* type_of(const PickleTree& pickle, PickleId id) {
  if (!pickle.calls(id, "numpy", "dtype")) return nullptr;
  const auto* arguments = pickle.tuple_items(pickle.at(id).arguments);
  const auto* state = pickle.tuple_items(pickle.at(id).state);
  if (arguments == nullptr || arguments->empty() || state == nullptr || state->size() < 2) return nullptr;
  if (!is_text(pickle, (*state)[1], "<")) return nullptr;
  for (const NumpyType& type : kTypes) {
    if (is_text(pickle, (*arguments)[0], type.name)) return &type;
  }
  return nullptr;
}

bool read_shape(const PickleTree& pickle, PickleId id, std::vector<std::int64_t>& shape) {
  const auto* items = pickle.tuple_items(id);
  if (items == nullptr || items->size() > kMostDimensions) return false;
  for (const PickleId item : *items) {
    if (pickle.at(item).kind != Kind::Integer || pickle.at(item).integer < 0) return false;
    shape.push_back(pickle.at(item).integer);
  }
  return true;
}

// bytes, a string of Python 2, or codecs.encode("…", "latin1"), which is how Python 3 writes bytes for Python 2.
bool read_bytes(const PickleTree& pickle, PickleId id, NumpyArray& array) {
  array.is_text = pickle.calls(id, "_codecs", "encode");
  if (array.is_text) {
    const auto* arguments = pickle.tuple_items(pickle.at(id).arguments);
    if (arguments == nullptr || arguments->size() != 2 || !is_text(pickle, (*arguments)[1], "latin1")) return false;
    id = arguments->front();
  }
  array.bytes = pickle.at(id).text;
  return pickle.at(id).kind == Kind::Text || (pickle.at(id).kind == Kind::Bytes && !array.is_text);
}

[[noreturn]] void throw_unfit(std::string_view name, const std::string& where) {
  throw FormatError("the array '" + std::string(name) + "' has more or fewer values than its shape says", where,
                    "the file is damaged: get it again");
}

// Bytes of the array's shape; nullopt beyond 64 bits.
std::optional<std::uint64_t> size_of(const NumpyArray& array) {
  std::uint64_t size = array.value_bytes;
  for (const std::int64_t length : array.shape) {
    if (__builtin_mul_overflow(size, static_cast<std::uint64_t>(length), &size)) return std::nullopt;
  }
  return size;
}

// Characters below 256 in UTF-8 have one byte, or two of which the first is 0xc2 or 0xc3.
bool decode_latin1(std::string_view text, std::vector<std::byte>& bytes) {
  bytes.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x80) {
      if ((byte & 0xfeU) != 0xc2U || ++i == text.size()) return false;
      byte = static_cast<unsigned char>((byte & 0x03U) << 6U | (static_cast<unsigned char>(text[i]) & 0x3fU));
    }
    bytes.push_back(std::byte{byte});
  }
  return true;
}

}  // namespace

std::optional<NumpyArray> read_numpy_array(const PickleTree& pickle, PickleId id) {
  const bool is_array = pickle.calls(id, "numpy.core.multiarray", "_reconstruct") ||
                        pickle.calls(id, "numpy._core.multiarray", "_reconstruct");
  // version, shape, type, whether it lies column by column, bytes
  const auto* state = is_array ? pickle.tuple_items(pickle.at(id).state) : nullptr;
  if (state == nullptr || state->size() != 5) return std::nullopt;
  const NumpyType* type = type_of(pickle, (*state)[2]);
  const PickleValue& by_columns = pickle.at((*state)[3]);
  if (type == nullptr || by_columns.kind != Kind::Bool || by_columns.integer != 0) return std::nullopt;
  NumpyArray array{.dtype = type->dtype, .value_bytes = type->bytes};
  const bool sound = read_shape(pickle, (*state)[1], array.shape) && read_bytes(pickle, (*state)[4], array);
  return sound ? std::optional(std::move(array)) : std::nullopt;
}

std::span<const std::byte> array_values(std::string_view name, const NumpyArray& array, std::vector<std::byte>& decoded,
                                        const std::string& where) {
  auto values = std::as_bytes(std::span(array.bytes));
  if (array.is_text) {
    if (!decode_latin1(array.bytes, decoded)) throw_unfit(name, where);
    values = decoded;
  }
  if (size_of(array) != values.size()) throw_unfit(name, where);
  return values;
}

}  // namespace bertprep
