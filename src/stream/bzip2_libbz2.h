// Libbz2Block: one block of a bzip2 file, decoded by libbz2. It decodes randomized blocks, which stream/bzip2 does not,
// and all blocks if built with BERTPREP_LIBBZ2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/library_version.h"
#include "stream/bzip2_frame.h"

namespace bertprep {

class Libbz2Block {
 public:
  Libbz2Block();
  ~Libbz2Block();
  Libbz2Block(Libbz2Block&&) noexcept;
  Libbz2Block& operator=(Libbz2Block&&) noexcept;

  void decode(const Bzip2Frame& frame);

  Bzip2State state() const { return state_; }
  // Of an undamaged block: its length, including the mark; up to 7 less for one without an end.
  std::uint64_t bits() const { return bits_; }
  // As Bzip2Block::next_piece(). Larger blocks are decoded a second time.
  std::string_view next_piece();

 private:
  struct Decoder;

  Bzip2State try_to_decode(const Bzip2Frame& frame);

  std::string file_;
  std::unique_ptr<Decoder> decoder_;
  Bzip2State state_ = Bzip2State::kDamaged;
  std::uint64_t bits_ = 0;
  std::size_t kept_bytes_ = 0;  // in the decoder's buffer
  bool fits_ = true;            // the buffer holds the whole block
  bool is_served_ = false;
};

LibraryVersion version_of_bzip2();

}  // namespace bertprep
