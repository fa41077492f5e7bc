// WordKey: a word of up to 16 bytes, padded with zeros. No word holds a NUL, so keys of different words
// differ.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace bertprep {

struct WordKey {
  static constexpr std::size_t kBytes = 16;
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  std::uint64_t hash() const { return (low ^ high * 0x9E3779B97F4A7C15U) * 0xD6E8FEB86659FD93U; }
  // Without a branch: which of two keys is meant is hard to predict.
  bool operator==(const WordKey& other) const { return ((low ^ other.low) | (high ^ other.high)) == 0; }
};

inline WordKey load_key(const char* bytes) {
  WordKey key;
  std::memcpy(&key.low, bytes, sizeof key.low);
  std::memcpy(&key.high, bytes + sizeof key.low, sizeof key.high);
  return key;
}

// Cuts the 16 bytes at a place in a text down to the word that starts there, and lower-cases ASCII letters.
class KeyMasks {
 public:
  explicit KeyMasks(bool lower_case) {
    for (std::size_t length = 0; length <= WordKey::kBytes; ++length) {
      const std::string kept(length, '\xFF');
      // Sets bit 5: letters become small, digits have it already.
      const std::string added(lower_case ? length : 0, '\x20');
      masks_[length] = {padded_key(kept), padded_key(added)};
    }
    masks_[0].kept = padded_key("\xFF");
  }

  // The word of `length` ASCII letters and digits at `bytes`; length 0 stands for one byte taken as it is.
  WordKey fold_ascii(const char* bytes, std::size_t length) const {
    const WordKey key = load_key(bytes);
    const Mask& mask = masks_[length];
    return {(key.low & mask.kept.low) | mask.added.low, (key.high & mask.kept.high) | mask.added.high};
  }

  // The first `length` bytes, at least one, as they are.
  WordKey cut(const char* bytes, std::size_t length) const {
    const WordKey key = load_key(bytes);
    const Mask& mask = masks_[length];
    return {key.low & mask.kept.low, key.high & mask.kept.high};
  }

 private:
  struct Mask {
    WordKey kept, added;
  };

  static WordKey padded_key(std::string_view bytes) {
    char padded[WordKey::kBytes] = {};
    std::memcpy(padded, bytes.data(), bytes.size());
    return load_key(padded);
  }

  std::array<Mask, WordKey::kBytes + 1> masks_;
};

}  // namespace bertprep
