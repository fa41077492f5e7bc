#include "stream/bzip2_block.h"

#include <bzlib.h>

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "stream/bzip2_scan.h"

namespace bertprep {
namespace {

constexpr std::size_t kReadBytes = std::size_t{512} << 10U;

}  // namespace

Bzip2Input::Bzip2Input(const std::filesystem::path& path, std::uint64_t begin, std::uint64_t end, ReadMeter* meter)
    : file_(path), meter_(meter), first_byte_(begin), last_byte_(end) {
  if (begin != 0) file_.seek(begin);
}

bool Bzip2Input::read_more() {
  if (at_end_) return false;
  const std::size_t before = bytes_.size();
  std::size_t wanted = kReadBytes;
  if (last_byte_ != 0) wanted = std::min<std::size_t>(wanted, last_byte_ - std::min(last_byte_, end_byte()));
  bytes_.resize(before + wanted);
  const std::size_t count = file_.read(std::span(bytes_).subspan(before));
  bytes_.resize(before + count);
  if (meter_ != nullptr) meter_->see(end_byte() - count, std::string_view(bytes_).substr(before));
  at_end_ = count < kReadBytes;
  search();
  return true;
}

void Bzip2Input::search() {
  if (bytes_.size() >= searched_ + kBzip2MarkReach) {
    const std::size_t end = bytes_.size() - kBzip2MarkReach;
    find_bzip2_marks(bytes_, searched_, end, first_byte_, marks_);
    searched_ = end;
  }
  if (!at_end_) return;
  // Zeros behind the end make no mark that is not there: a mark's last bits are ones or followed by its checksum.
  std::string last = bytes_.substr(searched_);
  const std::size_t count = last.size();
  last.append(kBzip2MarkReach, '\0');
  find_bzip2_marks(last, 0, count, first_byte_ + searched_, marks_);
  std::erase_if(marks_, [&](const Bzip2Mark& mark) { return mark.bit + kBzip2MarkBits > end_bit(); });
  searched_ = bytes_.size();
}

void Bzip2Input::release(std::uint64_t byte) {
  byte = std::min(byte, searched_byte());
  if (byte <= first_byte_) return;
  const auto count = static_cast<std::size_t>(byte - first_byte_);
  bytes_.erase(0, count);
  first_byte_ = byte;
  searched_ -= count;
  const auto kept = std::lower_bound(marks_.begin(), marks_.end(), byte * 8,
                                     [](const Bzip2Mark& mark, std::uint64_t bit) { return mark.bit < bit; });
  marks_.erase(marks_.begin(), kept);
}

std::string_view Bzip2Input::view(std::uint64_t begin, std::uint64_t end) const {
  begin = std::clamp(begin, first_byte_, end_byte());
  end = std::clamp(end, begin, end_byte());
  return std::string_view(bytes_).substr(static_cast<std::size_t>(begin - first_byte_),
                                         static_cast<std::size_t>(end - begin));
}

std::uint32_t Bzip2Input::bits(std::uint64_t bit, unsigned count) const {
  std::uint64_t value = 0;
  const std::string_view bytes = view(bit / 8, bit / 8 + 5);
  for (std::size_t i = 0; i < 5; ++i)
    value = value << 8U | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U);
  return static_cast<std::uint32_t>(value >> (40 - bit % 8 - count) & ((std::uint64_t{1} << count) - 1));
}

namespace {

constexpr std::size_t kBufferBytes = std::size_t{2} << 20U;
constexpr std::string_view kHeader = "BZh9";

// Memory of libbz2 that is used again from block to block: 4 MB each time would be as many page faults.
class Memory {
 public:
  void* take(std::size_t size) {
    for (Piece& piece : pieces_) {
      if (piece.is_free && piece.size >= size) {
        piece.is_free = false;
        return piece.bytes.get();
      }
    }
    std::unique_ptr<std::byte[]> bytes(new (std::nothrow) std::byte[size]);
    if (!bytes) return nullptr;
    pieces_.push_back({std::move(bytes), size, false});
    return pieces_.back().bytes.get();
  }
  void give_back(const void* bytes) {
    for (Piece& piece : pieces_) {
      if (piece.bytes.get() == bytes) piece.is_free = true;
    }
  }

 private:
  struct Piece {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size;
    bool is_free;
  };
  std::vector<Piece> pieces_;
};

void* take_memory(void* memory, int count, int size) {
  return static_cast<Memory*>(memory)->take(static_cast<std::size_t>(count) * static_cast<std::size_t>(size));
}

void give_memory_back(void* memory, void* bytes) {
  static_cast<Memory*>(memory)->give_back(bytes);
}

void append_number(std::string& out, std::uint64_t value, unsigned bits) {
  for (unsigned shift = bits; shift != 0; shift -= 8) out += static_cast<char>(value >> (shift - 8) & 0xFFU);
}

// The bits [first_bit, end_bit) of `bytes`, moved to the front of a byte, zeros behind them.
void append_shifted(std::string& out, std::string_view bytes, unsigned first_bit, std::uint64_t end_bit) {
  const std::uint64_t count_bits = end_bit - first_bit;
  const auto count = static_cast<std::size_t>((count_bits + 7) / 8);
  const std::size_t begin = out.size();
  out.resize(begin + count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto high = static_cast<unsigned char>(bytes[i]);
    const unsigned low = i + 1 < bytes.size() ? static_cast<unsigned char>(bytes[i + 1]) : 0U;
    out[begin + i] = static_cast<char>((high << 8U | low) >> (8 - first_bit) & 0xFFU);
  }
  if (const unsigned rest = count_bits % 8; rest != 0) {
    out.back() = static_cast<char>(static_cast<unsigned char>(out.back()) & (0xFF00U >> rest));
  }
}

// Puts `bits` of `value` behind the first `used_bits` of the last byte (0: behind it).
void append_bits(std::string& out, unsigned used_bits, std::uint64_t value, unsigned bits) {
  if (used_bits == 0) return append_number(out, value, bits);
  const auto last = static_cast<unsigned char>(out.back());
  const std::uint64_t shifted = value << (8 - used_bits);
  out.back() = static_cast<char>(last | static_cast<unsigned char>(shifted >> bits));
  append_number(out, shifted, bits);
}

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = at; i < at + 4; ++i) value = value << 8U | static_cast<unsigned char>(bytes[i]);
  return value;
}

constexpr std::array<std::uint32_t, 256> kChecksums = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i << 24U;
    for (int bit = 0; bit < 8; ++bit) value = (value & 0x8000'0000U) != 0 ? value << 1U ^ 0x04C1'1DB7U : value << 1U;
    table[i] = value;
  }
  return table;
}();

}  // namespace

std::uint32_t bzip2_checksum(std::uint32_t crc, std::string_view bytes) {
  crc = ~crc;
  for (const char c : bytes) crc = crc << 8U ^ kChecksums[crc >> 24U ^ static_cast<unsigned char>(c)];
  return ~crc;
}

struct Bzip2Block::Decoder {
  Decoder() : buffer(std::make_unique_for_overwrite<char[]>(kBufferBytes)) {}
  ~Decoder() { stop(); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  void start(std::string_view frame) {
    stop();
    stream = {};
    stream.bzalloc = take_memory;
    stream.bzfree = give_memory_back;
    stream.opaque = &memory;
    if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK) throw std::bad_alloc();
    is_open = true;
    stream.next_in = const_cast<char*>(frame.data());
    stream.avail_in = static_cast<unsigned>(frame.size());
  }

  void stop() {
    if (is_open) BZ2_bzDecompressEnd(&stream);
    is_open = false;
  }

  // Fills the buffer once more; `status` is that of libbz2.
  std::string_view fill(int& status) {
    stream.next_out = buffer.get();
    stream.avail_out = static_cast<unsigned>(kBufferBytes);
    status = BZ2_bzDecompress(&stream);
    if (status == BZ_MEM_ERROR) throw std::bad_alloc();
    return {buffer.get(), kBufferBytes - stream.avail_out};
  }

  Memory memory;
  std::unique_ptr<char[]> buffer;
  bz_stream stream{};
  bool is_open = false;
};

Bzip2Block::Bzip2Block() : decoder_(std::make_unique<Decoder>()) {}
Bzip2Block::~Bzip2Block() = default;
Bzip2Block::Bzip2Block(Bzip2Block&&) noexcept = default;
Bzip2Block& Bzip2Block::operator=(Bzip2Block&&) noexcept = default;

std::uint64_t Bzip2Block::used_bytes() const {
  return used_bytes_;
}

void Bzip2Block::decode(std::string_view bytes, unsigned first_bit, std::uint64_t end_bit) {
  state_ = State::kDamaged;
  is_served_ = false;
  used_bytes_ = 0;
  if (end_bit < first_bit + kBzip2MarkBits + 32U) return;
  frame_.assign(kHeader);
  append_shifted(frame_, bytes, first_bit, end_bit);
  checksum_ = number_at(frame_, kHeader.size() + kBzip2MarkBits / 8);
  const auto used_bits = static_cast<unsigned>((end_bit - first_bit) % 8);
  append_bits(frame_, used_bits, kBzip2EndMark, kBzip2MarkBits);
  append_bits(frame_, used_bits, checksum_, 32);

  decoder_->start(frame_);
  std::uint32_t crc = 0;
  int status = BZ_OK;
  fits_ = true;
  for (bool is_first = true; status == BZ_OK; is_first = false) {
    const std::string_view piece = decoder_->fill(status);
    if (status == BZ_OK && piece.size() < kBufferBytes) break;  // it wants more than there is
    fits_ = is_first;
    kept_bytes_ = piece.size();
    // libbz2 says which of its checks failed only by what it has read, hence the sum of our own.
    if (status != BZ_STREAM_END || !is_first) crc = bzip2_checksum(crc, piece);
  }
  if (status == BZ_STREAM_END) {
    if (decoder_->stream.avail_in == 0) state_ = State::kWhole;
  } else if (status == BZ_DATA_ERROR && crc == checksum_ && kept_bytes_ != 0) {
    state_ = State::kWithoutEnd;
  }
  used_bytes_ = frame_.size() - kHeader.size() - decoder_->stream.avail_in;
  decoder_->stop();
}

std::string_view Bzip2Block::next_piece() {
  if (fits_)
    return std::exchange(is_served_, true) ? std::string_view{} : std::string_view{decoder_->buffer.get(), kept_bytes_};
  if (!std::exchange(is_served_, true)) decoder_->start(frame_);
  if (!decoder_->is_open) return {};
  int status = BZ_OK;
  const std::string_view piece = decoder_->fill(status);
  if (status != BZ_OK || piece.empty()) decoder_->stop();
  return piece;
}

LibraryVersion version_of_bzip2() {
  // "1.0.8, 13-Jul-2019"; the headers have no version.
  const std::string running = ::BZ2_bzlibVersion();
  return {"bzip2", {}, running.substr(0, running.find(','))};
}

}  // namespace bertprep
