#include "wiki/markup/tag_names.h"

#include <iterator>

namespace bertprep {
namespace {

// A name of at most 16 bytes in lower case. `high` has the bytes before the last eight.
struct Key {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  constexpr bool operator==(const Key&) const = default;
};
constexpr std::size_t kLongestName = 10;
constexpr std::size_t kSlots = 512;

constexpr Key key_of(std::string_view name) {
  Key key;
  for (const char c : name) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    key.high = key.high << 8 | key.low >> 56;
    key.low = key.low << 8 | static_cast<std::uint64_t>(static_cast<unsigned char>(is_upper ? c | 0x20 : c));
  }
  return key;
}

constexpr std::size_t slot_of(const Key& key) {
  return static_cast<std::size_t>((key.low ^ key.high << 7) * 0x9E3779B97F4A7C15 >> 55);
}

struct Slot {
  Key key;  // {}: free
  TagClass tag;
};
using Table = std::array<Slot, kSlots>;

constexpr TagClass& add(Table& table, std::string_view name) {
  const Key key = key_of(name);
  std::size_t slot = slot_of(key);
  while (table[slot].key != Key() && table[slot].key != key) slot = (slot + 1) % kSlots;
  table[slot].key = key;
  return table[slot].tag;
}

constexpr Table kTable = [] {
  Table table{};
  for (std::size_t i = 0; i < std::size(kDroppedElements); ++i) {
    add(table, kDroppedElements[i]).dropped = static_cast<std::uint8_t>(i + 1);
  }
  for (const std::string_view name : kSelfClosingTags) add(table, name).is_self_closing = true;
  for (const std::string_view name : kIgnoredTags) add(table, name).is_ignored = true;
  return table;
}();

}  // namespace

TagClass tag_class(std::string_view name) {
  if (name.empty() || name.size() > kLongestName) return {};
  const Key key = key_of(name);
  for (std::size_t slot = slot_of(key); kTable[slot].key != Key(); slot = (slot + 1) % kSlots) {
    if (kTable[slot].key == key) return kTable[slot].tag;
  }
  return {};
}

}  // namespace bertprep
