#include "io/output_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "bertprep/base/error.h"
#include "io/digest.h"

namespace bertprep {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& path) : path_(path), file_(FileDescriptor::create(path)) {
  buffer_.reserve(kBufferBytes);
}

OutputFile::OutputFile(const std::filesystem::path& path, std::uint64_t size_bytes)
    : path_(path), file_(path, O_WRONLY), size_bytes_(size_bytes) {
  const auto end = static_cast<off_t>(size_bytes);
  if (::ftruncate(file_.number(), end) != 0 || ::lseek(file_.number(), end, SEEK_SET) != end) {
    throw IoError::from_errno("can't be written", path, errno);
  }
  buffer_.reserve(kBufferBytes);
}

void OutputFile::write(std::string_view bytes) {
  size_bytes_ += bytes.size();
  buffer_ += bytes;
  if (buffer_.size() >= kBufferBytes) flush();
}

void OutputFile::flush() {
  file_.write(buffer_, path_);
  buffer_.clear();
}

void OutputFile::finish() {
  flush();
  file_.finish(path_);
}

PlacedFile PlacedFile::reopen(const std::filesystem::path& path) {
  return {path, FileDescriptor(path, O_WRONLY, "can't be created")};
}

std::size_t PlacedFile::max_open() {
  constexpr std::size_t kOthers = 128;
  constexpr std::size_t kEnough = 1 << 16;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return kOthers;
  const std::size_t all = std::min<std::size_t>(limit.rlim_cur, kEnough);
  return all > 2 * kOthers ? all - kOthers : all / 2;
}

BufferedFile::BufferedFile(const std::filesystem::path& path, std::size_t front_bytes, std::vector<std::byte>& buffer)
    : path_(path), file_(FileDescriptor::create(path)), buffer_(buffer) {
  buffer_.assign(front_bytes, std::byte{0});
}

void BufferedFile::append(std::span<const std::byte> bytes) {
  if (buffer_.size() + bytes.size() > kMaxBufferBytes) flush();
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

void BufferedFile::flush() {
  file_.write_at(written_bytes_, bytes_in_memory(buffer_), path_);
  written_bytes_ += buffer_.size();
  buffer_.clear();
}

void BufferedFile::finish(std::span<const std::byte> front) {
  if (written_bytes_ == 0) {
    std::copy(front.begin(), front.end(), buffer_.begin());
  } else {
    file_.write_at(0, bytes_in_memory(front), path_);
  }
  file_.write_at(written_bytes_, bytes_in_memory(buffer_), path_);
  // Flushing starts here, so that the sync() that reports its errors is short.
  ::sync_file_range(file_.number(), 0, 0, SYNC_FILE_RANGE_WRITE);
  file_.finish(path_);
}

std::string BufferedFile::sha256(const Progress& progress) const {
  if (written_bytes_ > 0) return sha256_of_file(path_, progress);
  return sha256_of(bytes_in_memory(buffer_));
}

}  // namespace bertprep
