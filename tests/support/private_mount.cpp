#include "support/private_mount.h"

#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>

namespace bertprep::test {
namespace {

std::string size_option(int kilobytes) {
  return "size=" + std::to_string(kilobytes) + "k";
}

// Other users may mount in a namespace where they are root.
bool become_root_of_namespace() {
  const ::uid_t user = ::geteuid();
  const ::gid_t group = ::getegid();
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream users("/proc/self/uid_map");
  users << "0 " << user << " 1" << std::flush;
  std::ofstream groups("/proc/self/gid_map");
  groups << "0 " << group << " 1" << std::flush;
  return users.good() && groups.good();
}

bool enter_namespace() {
  static const bool entered = [] {
    const bool separate = ::geteuid() == 0 ? ::unshare(CLONE_NEWNS) == 0 : become_root_of_namespace();
    return separate && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  }();
  return entered;
}

}  // namespace

std::unique_ptr<PrivateMount> PrivateMount::small_disk(const std::filesystem::path& folder, int kilobytes) {
  std::filesystem::create_directories(folder);
  if (!enter_namespace()) return nullptr;
  if (::mount("tmpfs", folder.c_str(), "tmpfs", 0, size_option(kilobytes).c_str()) != 0) return nullptr;
  return std::unique_ptr<PrivateMount>(new PrivateMount(folder));
}

std::unique_ptr<PrivateMount> PrivateMount::read_only(const std::filesystem::path& folder) {
  if (!enter_namespace()) return nullptr;
  if (::mount(folder.c_str(), folder.c_str(), nullptr, MS_BIND, nullptr) != 0) return nullptr;
  std::unique_ptr<PrivateMount> mounted(new PrivateMount(folder));
  if (::mount(nullptr, folder.c_str(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr) != 0) return nullptr;
  return mounted;
}

PrivateMount::~PrivateMount() {
  ::umount2(folder_.c_str(), MNT_DETACH);
}

void PrivateMount::grow_to(int kilobytes) const {
  if (::mount(nullptr, folder_.c_str(), nullptr, MS_REMOUNT, size_option(kilobytes).c_str()) != 0) {
    throw std::runtime_error("can't grow " + folder_.string());
  }
}

}  // namespace bertprep::test
