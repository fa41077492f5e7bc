#include "io/checksum.h"

// Compiled in: consumers of the library need not link xxHash.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace bertprep {
namespace {

std::string digits_of(std::uint64_t number) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += kHex[number >> shift & 15];
  return digits;
}

}  // namespace

struct Xxh3::State {
  XXH3_state_t sum;
};

Xxh3::Xxh3() : state_(std::make_unique<State>()) {
  XXH3_64bits_reset(&state_->sum);
}

Xxh3::~Xxh3() = default;

void Xxh3::update(std::string_view bytes) {
  XXH3_64bits_update(&state_->sum, bytes.data(), bytes.size());
}

std::string Xxh3::finish() const {
  return digits_of(XXH3_64bits_digest(&state_->sum));
}

std::string xxh3_of(std::string_view bytes) {
  return digits_of(checksum_of(bytes));
}

std::uint64_t checksum_of(std::string_view bytes, std::uint64_t begin) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), begin);
}

}  // namespace bertprep
