#include "stream/bzip2_block.h"

#include <bzlib.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "stream/bzip2_scan.h"

namespace bertprep {
namespace {

constexpr unsigned kSumBits = 32;
constexpr std::size_t kSumBytes = 4;

unsigned byte_of(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

constexpr std::size_t kPieceBytes = std::size_t{2} << 20U;
constexpr std::size_t kHeaderBits = 32;
constexpr std::size_t kEndBytes = 10;  // of a stream: its mark and checksum

std::uint64_t load_word(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

// Bit 7 of each byte that is 0, and possibly of some after the first such byte.
std::uint64_t zeros_of(std::uint64_t word) {
  return (word - 0x0101'0101'0101'0101) & ~word & 0x8080'8080'8080'8080;
}

constexpr std::size_t kWordBytes = 8;
constexpr std::size_t kRunBytes = 4;

// tables[i][b]: what byte b adds to the sum if i bytes follow it.
using ChecksumTables = std::array<std::array<std::uint32_t, 256>, 16>;

constexpr ChecksumTables kTables = [] {
  ChecksumTables tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i << 24U;
    for (int bit = 0; bit < 8; ++bit) value = (value & 0x8000'0000U) != 0 ? value << 1U ^ 0x04C1'1DB7U : value << 1U;
    tables[0][i] = value;
  }
  for (std::size_t after = 1; after < tables.size(); ++after) {
    for (std::size_t i = 0; i < 256; ++i) {
      const std::uint32_t before = tables[after - 1][i];
      tables[after][i] = before << 8U ^ tables[0][before >> 24U];
    }
  }
  return tables;
}();

// Text of 900,000 bytes has few runs.
constexpr std::size_t kBufferBytes = std::size_t{1} << 20U;

#if defined(BERTPREP_LIBBZ2)
constexpr bool kIsLibbz2Asked = true;
#else
constexpr bool kIsLibbz2Asked = false;
#endif

}  // namespace

bool Bzip2Frame::set(std::string_view bytes, unsigned first_bit, std::uint64_t end_bit) {
  checksum_ = 0;
  if (end_bit < first_bit + kBzip2MarkBits + kSumBits || bytes.size() < (end_bit + 7) / 8) return false;
  first_bit_ = first_bit;
  end_bit_ = end_bit;
  // A stream ends with a whole byte.
  const std::uint64_t bits = end_bit - first_bit + kBzip2MarkBits + kSumBits;
  end_of_stream_ = first_bit + (bits + 7) / 8 * 8;
  const auto whole_bytes = static_cast<std::size_t>(end_bit / 8);
  bytes_.assign(bytes, 0, whole_bytes);
  bytes_.resize(static_cast<std::size_t>((end_of_stream_ + 7) / 8) + BitReader::kSlackBytes, '\0');
  if (end_bit % 8 != 0) bytes_[whole_bytes] = static_cast<char>(byte_of(bytes, whole_bytes) & 0xFF00U >> end_bit % 8);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i <= kSumBytes; ++i) sum = sum << 8U | byte_of(bytes_, kBzip2MarkBits / 8 + i);
  checksum_ = static_cast<std::uint32_t>(sum >> (8 - first_bit));
  put_bits(end_bit, kBzip2EndMark, kBzip2MarkBits);
  put_bits(end_bit + kBzip2MarkBits, checksum_, kSumBits);
  return true;
}

// Requires zeros there.
void Bzip2Frame::put_bits(std::uint64_t bit, std::uint64_t value, unsigned count) {
  for (; count > 0; ++bit) {
    const unsigned set = static_cast<unsigned>(value >> --count & 1U) << (7 - bit % 8);
    char& byte = bytes_[static_cast<std::size_t>(bit / 8)];
    byte = static_cast<char>(static_cast<unsigned char>(byte) | set);
  }
}

std::string Bzip2Frame::as_file() const {
  std::string file("BZh9");
  const auto count = static_cast<std::size_t>((end_of_stream_ - first_bit_) / 8);
  file.reserve(file.size() + count);
  for (std::size_t i = 0; i < count; ++i)
    file += static_cast<char>((byte_of(bytes_, i) << 8U | byte_of(bytes_, i + 1)) >> (8 - first_bit_) & 0xFFU);
  return file;
}

// One block, decoded by libbz2.
class Bzip2Block::Libbz2 {
 public:
  Libbz2() = default;
  ~Libbz2() { stop(); }
  Libbz2(const Libbz2&) = delete;
  Libbz2& operator=(const Libbz2&) = delete;

  Bzip2State decode(const Bzip2Frame& frame) {
    file_ = frame.as_file();
    kept_bytes_ = 0;
    fits_ = true;
    is_served_ = false;
    start();
    const Bzip2State state = try_to_decode(frame);
    stop();
    return state;
  }

  std::uint64_t bits() const { return bits_; }

  // As Bzip2Block::next_piece(). Larger blocks are decoded a second time.
  std::string_view next_piece() {
    const bool is_first = !std::exchange(is_served_, true);
    if (fits_) return is_first ? std::string_view{buffer_.get(), kept_bytes_} : std::string_view{};
    if (is_first) start();
    if (!is_open_) return {};
    int status = BZ_OK;
    const std::size_t count = fill(0, kPieceBytes, status);
    if (status != BZ_OK || count == 0) stop();
    return {buffer_.get(), count};
  }

 private:
  void start() {
    stop();
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
    is_open_ = true;
    stream_.next_in = file_.data();
    stream_.avail_in = static_cast<unsigned>(file_.size());
  }

  void stop() {
    if (is_open_) BZ2_bzDecompressEnd(&stream_);
    is_open_ = false;
  }

  // Fills `room` bytes at `begin` of the buffer, and returns how many it got; `status` is that of libbz2.
  std::size_t fill(std::size_t begin, std::size_t room, int& status) {
    stream_.next_out = buffer_.get() + begin;
    stream_.avail_out = static_cast<unsigned>(room);
    status = BZ2_bzDecompress(&stream_);
    if (status == BZ_MEM_ERROR) throw std::bad_alloc();
    return room - stream_.avail_out;
  }

  Bzip2State try_to_decode(const Bzip2Frame& frame);

  std::string file_;
  std::unique_ptr<char[]> buffer_ = std::make_unique_for_overwrite<char[]>(kPieceBytes);
  bz_stream stream_{};
  bool is_open_ = false;
  std::uint64_t bits_ = 0;
  std::size_t kept_bytes_ = 0;  // in the buffer
  bool fits_ = true;            // the buffer holds the whole block
  bool is_served_ = false;
};

// libbz2 does not say which of its checks failed. So it gets the bytes after the block separately: if it asks for them,
// the block is right.
Bzip2State Bzip2Block::Libbz2::try_to_decode(const Bzip2Frame& frame) {
  int status = BZ_OK;
  fill(0, 0, status);
  if (status != BZ_OK) return Bzip2State::kDamaged;
  const unsigned behind = std::exchange(stream_.avail_in, 0U);
  for (;;) {
    const std::size_t begin = kept_bytes_ == kPieceBytes ? 0 : kept_bytes_;
    const std::size_t count = fill(begin, kPieceBytes - begin, status);
    if (status != BZ_OK) return Bzip2State::kDamaged;
    if (count != 0 && begin == 0) fits_ = false;
    if (count != 0) kept_bytes_ = begin + count;
    if (begin + count < kPieceBytes) break;
  }
  if (behind == 0) return Bzip2State::kDamaged;
  bits_ = (file_.size() - behind) * 8 - 7 - kHeaderBits;
  char none = 0;
  stream_.next_out = &none;
  stream_.avail_out = 1;
  stream_.avail_in = 1;
  status = BZ2_bzDecompress(&stream_);
  if (status != BZ_OK || behind > kEndBytes + 1) return Bzip2State::kWithoutEnd;
  stream_.avail_in += behind - 1;
  status = BZ2_bzDecompress(&stream_);
  if (status != BZ_STREAM_END || stream_.avail_in != 0) return Bzip2State::kWithoutEnd;
  bits_ = frame.end_bit() - frame.first_bit();
  return Bzip2State::kComplete;
}

LibraryVersion version_of_bzip2() {
  // "1.0.8, 13-Jul-2019"; the headers have no version.
  const std::string running = ::BZ2_bzlibVersion();
  return {"bzip2", {}, running.substr(0, running.find(','))};
}

std::size_t RunExpansion::expand(char* out, std::size_t room) {
  static_assert(std::endian::native == std::endian::little, "the first byte is the lowest");
  const std::uint8_t* const bytes = packed_.data();
  const std::size_t size = packed_.size();
  std::size_t done = 0;
  while (at_ < size && done < room) {
    if (size - at_ >= kWordBytes + kRunBytes) {
      const std::uint64_t word = load_word(bytes + at_);
      const std::uint64_t next = load_word(bytes + at_ + 1);
      const std::uint64_t second = load_word(bytes + at_ + 2);
      const std::uint64_t differs = (word ^ next) | (next ^ second) | (second ^ load_word(bytes + at_ + 3));
      const std::uint64_t runs = zeros_of(differs);
      std::memcpy(out + done, &word, kWordBytes);
      const std::size_t single = runs == 0 ? kWordBytes : static_cast<std::size_t>(std::countr_zero(runs)) / 8;
      at_ += single;
      done += single;
      if (runs == 0) continue;
    } else if (size - at_ < kRunBytes || std::any_of(bytes + at_ + 1, bytes + at_ + kRunBytes,
                                                     [&](std::uint8_t byte) { return byte != bytes[at_]; })) {
      out[done++] = static_cast<char>(bytes[at_++]);
      continue;
    }
    is_truncated_ = at_ + kRunBytes == size;
    const std::size_t count = kRunBytes + (is_truncated_ ? 0U : bytes[at_ + kRunBytes]);
    std::memset(out + done, bytes[at_], count);
    done += count;
    at_ += kRunBytes + (is_truncated_ ? 0U : 1U);
  }
  return done;
}

std::uint32_t bzip2_checksum(std::uint32_t crc, std::string_view bytes) {
  crc = ~crc;
  const auto* at = reinterpret_cast<const std::uint8_t*>(bytes.data());
  std::size_t left = bytes.size();
  for (; left >= kTables.size(); left -= kTables.size(), at += kTables.size()) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < 4; ++i) sum ^= kTables[15 - i][at[i] ^ (crc >> (24 - 8 * i) & 0xFFU)];
    for (std::size_t i = 4; i < kTables.size(); ++i) sum ^= kTables[15 - i][at[i]];
    crc = sum;
  }
  for (; left != 0; --left) crc = crc << 8U ^ kTables[0][crc >> 24U ^ *at++];
  return ~crc;
}

Bzip2Block::Bzip2Block() = default;
Bzip2Block::~Bzip2Block() = default;

void Bzip2Block::set(std::string_view bytes, unsigned first_bit, std::uint64_t end_bit) {
  is_set_ = frame_.set(bytes, first_bit, end_bit);
}

void Bzip2Block::decode(Bzip2Decoder* decoder) {
  using Outcome = Bzip2Decoder::Outcome;
  state_ = Bzip2State::kDamaged;
  is_served_ = false;
  if (!is_set_) return;
  const std::uint64_t first_bit = frame_.first_bit() + kBzip2MarkBits;
  Outcome outcome = Outcome::kRandomized;
  if (!kIsLibbz2Asked && decoder != nullptr) {
    outcome = decoder->decode(frame_.bytes(), first_bit, frame_.end_of_stream());
  }
  is_of_libbz2_ = outcome == Outcome::kRandomized;
  if (is_of_libbz2_) {
    if (libbz2_ == nullptr) libbz2_ = std::make_unique<Libbz2>();
    state_ = libbz2_->decode(frame_);
    bits_ = libbz2_->bits();
    return;
  }
  if (outcome == Outcome::kDamaged || !expand(decoder->packed())) return;
  bits_ = decoder->end_bit() - frame_.first_bit();
  if (decoder->end_bit() == frame_.end_bit()) {
    state_ = Bzip2State::kComplete;
  } else if (decoder->end_bit() + 8 <= frame_.end_of_stream()) {
    state_ = Bzip2State::kWithoutEnd;
  }
}

char* Bzip2Block::buffer() {
  if (!buffer_) buffer_ = std::make_unique_for_overwrite<char[]>(kBufferBytes + RunExpansion::kSlackBytes);
  return buffer_.get();
}

// Whether the runs are complete and have the block's checksum.
bool Bzip2Block::expand(std::span<const std::uint8_t> packed) {
  RunExpansion runs(packed);
  std::uint32_t checksum = 0;
  packed_.reset();
  do {
    kept_bytes_ = runs.expand(buffer(), kBufferBytes);
    checksum = bzip2_checksum(checksum, {buffer(), kept_bytes_});
    if (runs.is_at_end() || packed_) continue;
    packed_ = std::make_unique_for_overwrite<std::uint8_t[]>(packed.size());
    std::copy(packed.begin(), packed.end(), packed_.get());
    rest_ = RunExpansion({packed_.get(), packed.size()});
  } while (!runs.is_at_end());
  return !runs.is_truncated() && checksum == frame_.checksum();
}

std::string_view Bzip2Block::next_piece() {
  if (is_of_libbz2_) return libbz2_->next_piece();
  if (packed_) return {buffer(), rest_.expand(buffer(), kBufferBytes)};
  if (is_served_) return {};
  is_served_ = true;
  return {buffer(), kept_bytes_};
}

}  // namespace bertprep
