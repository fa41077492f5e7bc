#include "io/pending_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <string_view>
#include <utility>

#include "bertprep/base/error.h"
#include "io/folder.h"
#include "io/output_file.h"
#include "io/process.h"

namespace bertprep {
namespace {

constexpr std::string_view kSuffix = ".partial";

// Names of unfinished files identify their writer: NAME.HOST.PID-RANDOM.partial. A container may have its machine's
// name but its own process numbers, so HOST includes the number of the process namespace.
std::string find_writer_host() {
  std::string text = host_name();
  for (char& c : text) {
    if (c == '.' || c == '/') c = '-';
  }
  struct stat processes {};
  if (::stat("/proc/self/ns/pid", &processes) == 0) text += "-" + std::to_string(processes.st_ino);
  return text;
}

const std::string& writer_host() {
  static const std::string kHost = find_writer_host();
  return kHost;
}

std::string random_digits() {
  std::uint32_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != sizeof number) number = static_cast<std::uint32_t>(::getpid());
  return std::to_string(number);
}

bool is_abandoned(std::string_view name, std::string_view host) {
  if (!name.ends_with(kSuffix)) return false;
  name.remove_suffix(kSuffix.size());
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || !name.substr(0, dot).ends_with("." + std::string(host))) return false;
  pid_t process = 0;
  const std::string_view digits = name.substr(dot + 1, name.find('-', dot) - dot - 1);
  if (std::from_chars(digits.data(), digits.data() + digits.size(), process).ec != std::errc{}) return false;
  return process != ::getpid() && ::kill(process, 0) != 0 && errno == ESRCH;
}

void give_name(const std::filesystem::path& path, const std::filesystem::path& final_path) {
  if (::rename(path.c_str(), final_path.c_str()) != 0) {
    throw IoError::from_errno("can't be renamed to its final name", final_path, errno);
  }
}

void write_out(const std::filesystem::path& path, int flags, int (*sync)(int)) {
  const FileDescriptor file(path, flags);
  if (sync(file.number()) != 0) throw IoError::from_errno("can't be written to disk", path, errno);
}

PendingFile write_pending(const std::filesystem::path& final_path, const std::filesystem::path& partial_folder,
                          const std::string& bytes) {
  PendingFile pending(final_path, partial_folder);
  OutputFile file(pending.path());
  file.write(bytes);
  file.finish();
  return pending;
}

}  // namespace

PendingFile::PendingFile(std::filesystem::path final_path, const std::filesystem::path& partial_folder)
    : final_path_(std::move(final_path)),
      path_(partial_folder / (final_path_.filename().string() + "." + writer_host() + "." + std::to_string(::getpid()) +
                              "-" + random_digits() + std::string(kSuffix))) {}

PendingFile PendingFile::kept_at(std::filesystem::path path, std::filesystem::path final_path) {
  PendingFile file;
  file.path_ = std::move(path);
  file.final_path_ = std::move(final_path);
  file.is_kept_ = true;
  return file;
}

PendingFile::~PendingFile() {
  if (!path_.empty() && !is_kept_) ::unlink(path_.c_str());
}

PendingFile::PendingFile(PendingFile&& other) noexcept
    : final_path_(std::move(other.final_path_)),
      path_(std::exchange(other.path_, {})),
      synced_(other.synced_),
      is_kept_(other.is_kept_) {}

void PendingFile::sync() {
  if (!synced_) sync_file(path_);
  synced_ = true;
}

void PendingFile::start_sync() const {
  const FileDescriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.is_open()) ::sync_file_range(file.number(), 0, 0, SYNC_FILE_RANGE_WRITE);  // else sync() reports why
}

void PendingFile::publish() {
  sync();
  give_name(path_, final_path_);
  path_.clear();
}

void publish_bytes(const std::filesystem::path& final_path, const std::filesystem::path& partial_folder,
                   const std::string& bytes) {
  PendingFile pending = write_pending(final_path, partial_folder, bytes);
  give_name(pending.path(), final_path);
  pending.release();
}

void publish_durably(const std::filesystem::path& final_path, const std::filesystem::path& partial_folder,
                     const std::string& bytes) {
  PendingFile pending = write_pending(final_path, partial_folder, bytes);
  pending.publish();
  sync_folder(final_path.parent_path());
}

bool publish_first(const std::filesystem::path& final_path, const std::filesystem::path& partial_folder,
                   const std::string& bytes) {
  PendingFile pending = write_pending(final_path, partial_folder, bytes);
  pending.sync();
  if (::link(pending.path().c_str(), final_path.c_str()) == 0) return true;
  const int error = errno;
  if (error == EPERM || error == EOPNOTSUPP || error == ENOSYS || error == EMLINK) {
    pending.publish();
    return true;
  }
  if (error != EEXIST) throw IoError::from_errno("can't be renamed to its final name", final_path, error);
  // The server may have made the link although its answer was lost.
  struct stat status {};
  return ::stat(pending.path().c_str(), &status) == 0 && status.st_nlink == 2;
}

void sync_file(const std::filesystem::path& path) {
  write_out(path, O_RDONLY, ::fsync);
}

void sync_file_system(const std::filesystem::path& folder) {
  write_out(folder, O_RDONLY | O_DIRECTORY, ::syncfs);
}

void sync_folder(const std::filesystem::path& folder) {
  write_out(folder, O_RDONLY | O_DIRECTORY, ::fsync);
}

bool has_abandoned_files(const std::filesystem::path& partial_folder) {
  const std::string& host = writer_host();
  std::error_code error;
  return std::ranges::any_of(list_folder(partial_folder, error),
                             [&](const auto& entry) { return is_abandoned(entry.path().filename().string(), host); });
}

void remove_abandoned_files(const std::filesystem::path& partial_folder) {
  const std::string& host = writer_host();
  std::error_code error;
  for (const auto& entry : list_folder(partial_folder, error)) {
    if (is_abandoned(entry.path().filename().string(), host)) std::filesystem::remove(entry.path(), error);
  }
}

}  // namespace bertprep
