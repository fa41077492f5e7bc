#include "io/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

#include "bertprep/base/error.h"
#include "io/pause.h"

namespace bertprep {
namespace {

constexpr std::chrono::seconds kPatience{30};
constexpr std::chrono::milliseconds kBetweenTries{5};

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) {
  std::error_code ignored;  // what can't be made can't be filled either: who fills it says why
  std::filesystem::create_directories(folder, ignored);
  descriptor_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return;
    if (std::chrono::steady_clock::now() > end) {
      ::close(descriptor_);
      throw IoError::from_errno("another process is held up at the start of its run here", folder, EAGAIN);
    }
    pause_for(kBetweenTries);
  }
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace bertprep
