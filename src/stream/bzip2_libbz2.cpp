#include "stream/bzip2_libbz2.h"

#include <bzlib.h>

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

namespace bertprep {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{2} << 20U;
constexpr std::size_t kHeaderBits = 32;
constexpr std::size_t kEndBytes = 10;  // of a stream: its mark and checksum

// Memory of libbz2, reused for each block: allocating 4 MB each time would cost page faults.
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

}  // namespace

struct Libbz2Block::Decoder {
  Decoder() : buffer(std::make_unique_for_overwrite<char[]>(kPieceBytes)) {}
  ~Decoder() { stop(); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  void start(std::string_view file) {
    stop();
    stream = {};
    stream.bzalloc = take_memory;
    stream.bzfree = give_memory_back;
    stream.opaque = &memory;
    if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK) throw std::bad_alloc();
    is_open = true;
    stream.next_in = const_cast<char*>(file.data());
    stream.avail_in = static_cast<unsigned>(file.size());
  }

  void stop() {
    if (is_open) BZ2_bzDecompressEnd(&stream);
    is_open = false;
  }

  // Fills `room` bytes at `begin` of the buffer, and returns how many it got; `status` is that of libbz2.
  std::size_t fill(std::size_t begin, std::size_t room, int& status) {
    stream.next_out = buffer.get() + begin;
    stream.avail_out = static_cast<unsigned>(room);
    status = BZ2_bzDecompress(&stream);
    if (status == BZ_MEM_ERROR) throw std::bad_alloc();
    return room - stream.avail_out;
  }

  Memory memory;
  std::unique_ptr<char[]> buffer;
  bz_stream stream{};
  bool is_open = false;
};

Libbz2Block::Libbz2Block() : decoder_(std::make_unique<Decoder>()) {}
Libbz2Block::~Libbz2Block() = default;
Libbz2Block::Libbz2Block(Libbz2Block&&) noexcept = default;
Libbz2Block& Libbz2Block::operator=(Libbz2Block&&) noexcept = default;

void Libbz2Block::decode(const Bzip2Frame& frame) {
  file_ = frame.as_file();
  kept_bytes_ = 0;
  fits_ = true;
  is_served_ = false;
  decoder_->start(file_);
  state_ = try_to_decode(frame);
  decoder_->stop();
}

// libbz2 does not say which of its checks failed. So it gets the bytes after the block separately: if it asks for them,
// the block is right.
Bzip2State Libbz2Block::try_to_decode(const Bzip2Frame& frame) {
  int status = BZ_OK;
  decoder_->fill(0, 0, status);
  if (status != BZ_OK) return Bzip2State::kDamaged;
  bz_stream& stream = decoder_->stream;
  const unsigned behind = std::exchange(stream.avail_in, 0U);
  for (;;) {
    const std::size_t begin = kept_bytes_ == kPieceBytes ? 0 : kept_bytes_;
    const std::size_t count = decoder_->fill(begin, kPieceBytes - begin, status);
    if (status != BZ_OK) return Bzip2State::kDamaged;
    if (count != 0 && begin == 0) fits_ = false;
    if (count != 0) kept_bytes_ = begin + count;
    if (begin + count < kPieceBytes) break;
  }
  if (behind == 0) return Bzip2State::kDamaged;
  bits_ = (file_.size() - behind) * 8 - 7 - kHeaderBits;
  char none = 0;
  stream.next_out = &none;
  stream.avail_out = 1;
  stream.avail_in = 1;
  status = BZ2_bzDecompress(&stream);
  if (status != BZ_OK || behind > kEndBytes + 1) return Bzip2State::kWithoutEnd;
  stream.avail_in += behind - 1;
  status = BZ2_bzDecompress(&stream);
  if (status != BZ_STREAM_END || stream.avail_in != 0) return Bzip2State::kWithoutEnd;
  bits_ = frame.end_bit() - frame.first_bit();
  return Bzip2State::kComplete;
}

std::string_view Libbz2Block::next_piece() {
  const bool is_first = !std::exchange(is_served_, true);
  if (fits_) return is_first ? std::string_view{decoder_->buffer.get(), kept_bytes_} : std::string_view{};
  if (is_first) decoder_->start(file_);
  if (!decoder_->is_open) return {};
  int status = BZ_OK;
  const std::size_t count = decoder_->fill(0, kPieceBytes, status);
  if (status != BZ_OK || count == 0) decoder_->stop();
  return {decoder_->buffer.get(), count};
}

LibraryVersion version_of_bzip2() {
  // "1.0.8, 13-Jul-2019"; the headers have no version.
  const std::string running = ::BZ2_bzlibVersion();
  return {"bzip2", {}, running.substr(0, running.find(','))};
}

}  // namespace bertprep
