#include "io/placed_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "bertprep/base/error.h"

namespace bertprep {

PlacedFile::PlacedFile(const std::filesystem::path& path, int flags)
    : path_(path), descriptor_(::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666)) {
  if (descriptor_ < 0) throw IoError::from_errno("can't be created", path, errno);
}

PlacedFile::PlacedFile(const std::filesystem::path& path) : PlacedFile(path, O_CREAT | O_TRUNC) {}

PlacedFile PlacedFile::reopen(const std::filesystem::path& path) {
  return {path, 0};
}

std::size_t PlacedFile::most_open() {
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

}  // namespace bertprep
