#include "trainer/weights/torch_legacy.h"

#include "bertprep/base/error.h"
#include "trainer/weights/state_dict.h"

namespace bertprep {
namespace {

using Kind = PickleValue::Kind;

// 0x1950a86a20f9469cfc6c
constexpr std::string_view kMagic = "\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";
constexpr std::int64_t kProtocol = 1001;
constexpr std::size_t kCountBytes = 8;

PickleTree take_pickle(std::string_view& rest, const std::string& where) {
  PickleTree pickle = parse_pickle(rest, where);
  rest.remove_prefix(pickle.size_bytes);
  return pickle;
}

void check_head(std::string_view& rest, const std::string& where) {
  const PickleTree magic = take_pickle(rest, where);
  if (magic.at(magic.root).kind != Kind::Long || magic.at(magic.root).text != kMagic) {
    throw FormatError("is a pickle, but none of torch.save", where, "save the model's state dict with torch.save");
  }
  const PickleTree protocol = take_pickle(rest, where);
  if (protocol.at(protocol.root).kind != Kind::Integer || protocol.at(protocol.root).integer != kProtocol) {
    throw FormatError("is of a version of torch.save that is not known", where, "save it again with a newer torch");
  }
  take_pickle(rest, where);  // the machine: torch writes values little-endian on all of them
}

std::string_view take_bytes(std::string_view& rest, std::uint64_t size, const std::string& where) {
  if (size > rest.size()) throw FormatError("ends within its storages", where, "it is cut short: get it again");
  const std::string_view taken = rest.substr(0, size);
  rest.remove_prefix(size);
  return taken;
}

std::string_view take_storage(std::string_view& rest, const StorageType& type, const std::string& where) {
  const std::string_view digits = take_bytes(rest, kCountBytes, where);
  std::uint64_t count = 0;
  for (std::size_t i = kCountBytes; i-- > 0;) count = count << 8 | static_cast<unsigned char>(digits[i]);
  std::uint64_t size = 0;
  const bool overflows = __builtin_mul_overflow(count, static_cast<std::uint64_t>(type.value_bytes), &size);
  return take_bytes(rest, overflows ? UINT64_MAX : size, where);
}

}  // namespace

bool is_legacy_torch(std::string_view bytes) {
  return bytes.size() > 1 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5;
}

LegacyTorch read_legacy_torch(std::string_view bytes, const std::string& where) {
  check_head(bytes, where);
  LegacyTorch file{take_pickle(bytes, where), {}};
  const auto types = storage_types(file.object, where);
  // The texts of the keys live in the file, not in their tree.
  const PickleTree keys = take_pickle(bytes, where);
  for (const PickleId id : keys.at(keys.root).items) {
    const std::string_view key = keys.at(id).text;
    const auto type = types.find(key);
    if (type == types.end()) {
      throw FormatError("lists a storage that nothing in it has", where, "the file is damaged: get it again");
    }
    file.storages[key] = take_storage(bytes, *type->second, where);
  }
  return file;
}

}  // namespace bertprep
