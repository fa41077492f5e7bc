#include "io/buffered_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "bertprep/base/error.h"
#include "io/sha256.h"

namespace bertprep {

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
  if (::close(std::exchange(descriptor_, -1)) != 0) {
    throw IoError::from_errno("can't be written", path_.string(), errno);
  }
}

std::string BufferedFile::sha256() const {
  if (written_bytes_ > 0) return sha256_of_file(path_);
  const auto* text = static_cast<const char*>(static_cast<const void*>(buffer_.data()));
  return sha256_of(std::string_view(text, buffer_.size()));
}

}  // namespace bertprep
