#include "io/output_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "bertprep/base/error.h"
#include "io/digest.h"

namespace bertprep {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& path)
    : path_(path), descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) throw IoError::from_errno("can't be created", path, errno);
  buffer_.reserve(kBufferBytes);
}

OutputFile::OutputFile(const std::filesystem::path& path, std::uint64_t size_bytes)
    : path_(path), descriptor_(::open(path.c_str(), O_WRONLY | O_CLOEXEC)), size_bytes_(size_bytes) {
  if (descriptor_ < 0) throw IoError::from_errno("can't be opened", path, errno);
  const auto end = static_cast<off_t>(size_bytes);
  if (::ftruncate(descriptor_, end) != 0 || ::lseek(descriptor_, end, SEEK_SET) != end) {
    const int error = errno;
    ::close(descriptor_);
    throw IoError::from_errno("can't be written", path, error);
  }
  buffer_.reserve(kBufferBytes);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OutputFile::write(std::string_view bytes) {
  size_bytes_ += bytes.size();
  buffer_ += bytes;
  if (buffer_.size() >= kBufferBytes) flush();
}

void OutputFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t count = ::write(descriptor_, rest.data(), rest.size());
    if (count < 0) {
      if (errno == EINTR) continue;
      throw IoError::from_errno("can't be written", path_, errno);
    }
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  buffer_.clear();
}

void OutputFile::finish() {
  flush();
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) throw IoError::from_errno("can't be written", path_, errno);
}

PlacedFile::PlacedFile(const std::filesystem::path& path, int flags)
    : path_(path), descriptor_(::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666)) {
  if (descriptor_ < 0) throw IoError::from_errno("can't be created", path, errno);
}

PlacedFile::PlacedFile(const std::filesystem::path& path) : PlacedFile(path, O_CREAT | O_TRUNC) {}

PlacedFile PlacedFile::reopen(const std::filesystem::path& path) {
  return {path, 0};
}

std::size_t PlacedFile::max_open() {
  constexpr std::size_t kOthers = 128;
  constexpr std::size_t kEnough = 1 << 16;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return kOthers;
  const std::size_t all = std::min<std::size_t>(limit.rlim_cur, kEnough);
  return all > 2 * kOthers ? all - kOthers : all / 2;
}

PlacedFile::~PlacedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

PlacedFile::PlacedFile(PlacedFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

void PlacedFile::write_at(std::uint64_t offset, std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0) {
      if (errno == EINTR) continue;
      throw IoError::from_errno("can't be written", path_, errno);
    }
    offset += static_cast<std::uint64_t>(count);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void PlacedFile::finish() {
  const int descriptor = std::exchange(descriptor_, -1);
  if (::close(descriptor) != 0) throw IoError::from_errno("can't be written", path_, errno);
}

BufferedFile::BufferedFile(const std::filesystem::path& path, std::size_t front_bytes, std::vector<std::byte>& buffer)
    : path_(path), descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)), buffer_(buffer) {
  if (descriptor_ < 0) throw IoError::from_errno("can't be created", path.string(), errno);
  buffer_.assign(front_bytes, std::byte{0});
}

BufferedFile::~BufferedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void BufferedFile::append(std::span<const std::byte> bytes) {
  if (buffer_.size() + bytes.size() > kMaxBufferBytes) flush();
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

void BufferedFile::flush() {
  write_at(written_bytes_, buffer_);
  written_bytes_ += buffer_.size();
  buffer_.clear();
}

void BufferedFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0) {
      if (errno == EINTR) continue;
      throw IoError::from_errno("can't be written", path_.string(), errno);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

void BufferedFile::finish(std::span<const std::byte> front) {
  if (written_bytes_ == 0) {
    std::copy(front.begin(), front.end(), buffer_.begin());
  } else {
    write_at(0, front);
  }
  write_at(written_bytes_, buffer_);
  // Flushing starts here, so that the sync() that reports its errors is short.
  ::sync_file_range(descriptor_, 0, 0, SYNC_FILE_RANGE_WRITE);
  if (::close(std::exchange(descriptor_, -1)) != 0) {
    throw IoError::from_errno("can't be written", path_.string(), errno);
  }
}

std::string BufferedFile::sha256(const Progress& progress) const {
  if (written_bytes_ > 0) return sha256_of_file(path_, progress);
  const auto* text = static_cast<const char*>(static_cast<const void*>(buffer_.data()));
  return sha256_of(std::string_view(text, buffer_.size()));
}

}  // namespace bertprep
