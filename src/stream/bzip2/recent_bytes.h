// The bytes of a bzip2 block by their last use (move-to-front), as two classes that do the same: RecentBytes for all
// processors and compilers, RecentVector for those on which it is_fast().
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "base/clones.h"

#if defined(__aarch64__)
#include <arm_neon.h>
#endif

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

// 32 bytes in registers.
class FrontBytes {
 public:
  static constexpr unsigned kBytes = 32;
  static bool is_fast() { return __builtin_cpu_supports("avx2") != 0; }

  BERTPREP_INLINE explicit FrontBytes(const std::uint8_t* bytes) { std::memcpy(&bytes_, bytes, kBytes); }
  BERTPREP_INLINE void store(std::uint8_t* to) const { std::memcpy(to, &bytes_, kBytes); }
  BERTPREP_INLINE std::uint8_t first() const { return bytes_[0]; }
  BERTPREP_INLINE void set_first(std::uint8_t byte) { bytes_ = (bytes_ & ~Vector{0xFF}) | Vector{byte}; }
  // Byte i becomes the one that is at from[i].
  BERTPREP_INLINE void move(const FrontBytes& from) { bytes_ = __builtin_shuffle(bytes_, from.bytes_); }

 private:
  using Vector = std::uint8_t __attribute__((vector_size(kBytes)));
  Vector bytes_;
};

#elif defined(__aarch64__)

class FrontBytes {
 public:
  static constexpr unsigned kBytes = 32;
  static bool is_fast() { return true; }

  BERTPREP_INLINE explicit FrontBytes(const std::uint8_t* bytes) : bytes_{{vld1q_u8(bytes), vld1q_u8(bytes + 16)}} {}
  BERTPREP_INLINE void store(std::uint8_t* to) const {
    vst1q_u8(to, bytes_.val[0]);
    vst1q_u8(to + 16, bytes_.val[1]);
  }
  BERTPREP_INLINE std::uint8_t first() const { return vgetq_lane_u8(bytes_.val[0], 0); }
  BERTPREP_INLINE void set_first(std::uint8_t byte) { bytes_.val[0] = vsetq_lane_u8(byte, bytes_.val[0], 0); }
  BERTPREP_INLINE void move(const FrontBytes& from) {
    bytes_ = {{vqtbl2q_u8(bytes_, from.bytes_.val[0]), vqtbl2q_u8(bytes_, from.bytes_.val[1])}};
  }

 private:
  uint8x16x2_t bytes_;
};

#endif

#if defined(__aarch64__) || (defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__))

// The first 32 bytes are a vector, so that the move has no branch on the place.
class RecentVector {
 public:
  static bool is_fast() { return FrontBytes::is_fast(); }

  explicit RecentVector(ByteOrder& order) : order_(order), front_(order.data()) {}

  std::uint8_t first() const { return front_.first(); }

  BERTPREP_INLINE std::uint8_t take(unsigned place) {
    if (place < kInFront) [[likely]] {
      move_front(place);
      return front_.first();
    }
    const std::uint8_t byte = order_[place];
    // Whole vectors from the back, the last one into places whose bytes are in front_. A call of memmove would keep
    // front_ from staying in a register.
    for (unsigned end = place; end > kInFront; end -= kInFront) {
      FrontBytes(&order_[end - kInFront]).store(&order_[end - kInFront + 1]);
    }
    move_front(kInFront - 1);
    order_[kInFront] = front_.first();
    front_.set_first(byte);
    return byte;
  }

 private:
  static constexpr unsigned kInFront = FrontBytes::kBytes;

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

  BERTPREP_INLINE void move_front(unsigned place) {
    static constexpr Moves kMoves;
    front_.move(FrontBytes(kMoves.from[place].data()));
  }

  ByteOrder& order_;
  FrontBytes front_;
};

#else

using RecentVector = RecentBytes;

#endif

}  // namespace bertprep
