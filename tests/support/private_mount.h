// A private file system, seen by this process and its children only: a small disk, or a folder made read-only.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace bertprep::test {

class PrivateMount {
 public:
  // Mounts an empty file system of `kilobytes` on `folder`; nullptr if this user may not mount.
  static std::unique_ptr<PrivateMount> small_disk(const std::filesystem::path& folder, int kilobytes);
  // Makes `folder` read-only.
  static std::unique_ptr<PrivateMount> read_only(const std::filesystem::path& folder);
  ~PrivateMount();
  PrivateMount(const PrivateMount&) = delete;
  PrivateMount& operator=(const PrivateMount&) = delete;

  void grow_to(int kilobytes) const;

 private:
  explicit PrivateMount(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::filesystem::path folder_;
};

}  // namespace bertprep::test
