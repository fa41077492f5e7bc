#include "io/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& path)
    : path_(path), descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) throw IoError::from_errno("can't be created", path, errno);
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

}  // namespace bertprep
