// The bytes of a bzip2 block by their last use (move-to-front), as two classes that do the same: RecentBytes for all
// processors and compilers, RecentVector for those on which it is_fast().
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "base/clones.h"

namespace bertprep {

// All 256 bytes, the used ones in front. The list that works on it may keep the first ones elsewhere.
using ByteOrder = std::array<std::uint8_t, 256>;

class RecentBytes {
 public:
  static bool is_fast() { return false; }

  explicit RecentBytes(ByteOrder& order) : order_(order) {}

  std::uint8_t first() const { return order_[0]; }

  // Moves the byte at `place` (1 to 255) to the front.
  std::uint8_t take(unsigned place) {
    const std::uint8_t byte = order_[place];
    std::memmove(&order_[1], &order_[0], place);
    order_[0] = byte;
    return byte;
  }

 private:
  ByteOrder& order_;
};

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)

// The first 32 bytes are a vector, so that the move has no branch on the place. Fast from AVX2 on.
class RecentVector {
 public:
  static bool is_fast() { return __builtin_cpu_supports("avx2") != 0; }

  explicit RecentVector(ByteOrder& order) : order_(order) { load(front_, &order[0]); }

  std::uint8_t first() const { return front_[0]; }

  BERTPREP_INLINE std::uint8_t take(unsigned place) {
    if (place < kInFront) [[likely]] {
      move_front(place);
      return front_[0];
    }
    const std::uint8_t byte = order_[place];
    // Whole vectors from the back, the last one into places whose bytes are in front_. A call of memmove would keep
    // front_ from staying in a register.
    for (unsigned end = place; end > kInFront; end -= kInFront) {
      Vector moved;
      load(moved, &order_[end - kInFront]);
      std::memcpy(&order_[end - kInFront + 1], &moved, sizeof(moved));
    }
    move_front(kInFront - 1);
    order_[kInFront] = front_[0];
    front_ = (front_ & ~Vector{0xFF}) | Vector{byte};
    return byte;
  }

 private:
  static constexpr unsigned kInFront = 32;
  using Vector = std::uint8_t __attribute__((vector_size(kInFront)));

  // By place: where each byte of the moved list comes from.
  struct Moves {
    constexpr Moves() {
      for (unsigned place = 0; place < kInFront; ++place) {
        for (unsigned i = 1; i < kInFront; ++i) from[place][i] = static_cast<std::uint8_t>(i <= place ? i - 1 : i);
        from[place][0] = static_cast<std::uint8_t>(place);
      }
    }
    alignas(kInFront) std::array<std::array<std::uint8_t, kInFront>, kInFront> from{};
  };

  BERTPREP_INLINE static void load(Vector& vector, const std::uint8_t* bytes) {
    std::memcpy(&vector, bytes, sizeof(vector));
  }
  BERTPREP_INLINE void move_front(unsigned place) {
    static constexpr Moves kMoves;
    Vector from;
    load(from, kMoves.from[place].data());
    front_ = __builtin_shuffle(front_, from);
  }

  ByteOrder& order_;
  Vector front_;
};

#else

using RecentVector = RecentBytes;

#endif

}  // namespace bertprep
