// Bzip2Block: one block of a bzip2 file, framed as a stream of its own and decoded by libbz2; and the part of the file
// that is being worked on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/library_version.h"
#include "io/input_file.h"
#include "stream/byte_stream.h"
#include "stream/bzip2_scan.h"

namespace bertprep {

// Bzip2Input: the part of a bzip2 file that is being worked on, with its marks.
class Bzip2Input {
 public:
  // Throws IoError. The bytes [begin, end) of the file; end 0: to its end.
  // Tells `meter`, if it is not null, what is read.
  Bzip2Input(const std::filesystem::path& path, std::uint64_t begin, std::uint64_t end, ReadMeter* meter = nullptr);

  // Reads on; false at the end of the file. Throws IoError.
  bool read_more();
  bool at_end() const { return at_end_; }
  std::uint64_t end_byte() const { return first_byte_ + bytes_.size(); }  // of what has been read
  std::uint64_t end_bit() const { return end_byte() * 8; }

  // In ascending order: all marks after the released part, as far as the file has been searched.
  const std::vector<Bzip2Mark>& marks() const { return marks_; }
  // Every mark before this byte is in marks().
  std::uint64_t searched_byte() const { return first_byte_ + searched_; }

  // What lies before this byte is not needed any more; its marks go, too.
  void release(std::uint64_t byte);

  // The bytes [begin, end) of the file, as far as they have been read and not released.
  std::string_view view(std::uint64_t begin, std::uint64_t end) const;
  // The `count` bits at `bit`, which have been read; at most 32.
  std::uint32_t bits(std::uint64_t bit, unsigned count) const;
  const std::filesystem::path& path() const { return file_.path(); }

 private:
  void search();

  InputFile file_;
  ReadMeter* meter_;
  std::string bytes_;
  std::uint64_t first_byte_;
  std::uint64_t last_byte_;   // behind the last; 0: the end of the file
  std::size_t searched_ = 0;  // in bytes_
  bool at_end_ = false;
  std::vector<Bzip2Mark> marks_;
};

class Bzip2Block {
 public:
  enum class State {
    kWhole,       // decoded, its checksum is right, and it ends where it was said to end
    kWithoutEnd,  // decoded, its checksum is right, but something else than the next mark follows it
    kDamaged,
  };

  // A block has at most 18,002 groups of 50 codes of 20 bits and some tables.
  static constexpr std::uint64_t kMaxBytes = 18'002ULL * 50 * 20 / 8 + 16'384;

  Bzip2Block();
  ~Bzip2Block();
  Bzip2Block(Bzip2Block&&) noexcept;
  Bzip2Block& operator=(Bzip2Block&&) noexcept;

  // Decodes the block whose mark begins at bit `first_bit` (0 to 7) of `bytes` and which ends before bit `end_bit`.
  void decode(std::string_view bytes, unsigned first_bit, std::uint64_t end_bit);

  State state() const { return state_; }
  std::uint32_t checksum() const { return checksum_; }  // as the block says it
  std::uint64_t used_bytes() const;                     // about so much of it was read
  // The decoded bytes in pieces of at most 2 MB, empty after the last; not for a damaged block. A block of long runs
  // holds up to 46 MB: it is decoded once more then, piece by piece.
  std::string_view next_piece();

 private:
  struct Decoder;

  std::string frame_;
  std::unique_ptr<Decoder> decoder_;
  State state_ = State::kDamaged;
  std::uint32_t checksum_ = 0;
  std::size_t kept_bytes_ = 0;  // in the decoder's buffer
  bool fits_ = true;            // the buffer holds all of the block
  bool is_served_ = false;
  std::uint64_t used_bytes_ = 0;
};

// The checksum of bzip2: CRC-32 of IEEE 802.3, most significant bit first. `crc` is that of what came before, or 0.
std::uint32_t bzip2_checksum(std::uint32_t crc, std::string_view bytes);

LibraryVersion version_of_bzip2();

}  // namespace bertprep
