// FolderLock: a step that one process at a time takes in a folder. The system drops the lock when the process ends,
// however that happens.
//
// File systems that know no locks of folders, NFS among them, give none: then the step is taken without it.
#pragma once

#include <filesystem>

namespace bertprep {

class FolderLock {
 public:
  // Waits for others in `folder`, which is made if it isn't there, for as long as such a step may take. Throws IoError
  // when they take longer.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;  // below 0: without a lock
};

}  // namespace bertprep
