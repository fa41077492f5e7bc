#include "bertprep/base/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>

#include "base/address.h"
#include "base/stage_errors.h"

namespace bertprep {
namespace {

std::string message(const std::string& what, const std::string& where, const std::string& hint) {
  std::string text = where.empty() ? what : where + ": " + what;
  if (!hint.empty()) text += "; " + hint;
  return text;
}

// What to do about an error of the operating system, and whether it may pass by itself.
struct ErrorFacts {
  int number;
  const char* hint;
  bool is_transient = false;
};
constexpr const char* kFreeSpace = "free some space or choose another folder, then run the same command again";
constexpr const char* kPermissions = "check the permissions of the folder or choose another one";
constexpr const char* kCheckPath = "check the path";
constexpr const char* kFailingDisk = "the disk or the file server is failing; run the same command again";
constexpr ErrorFacts kErrors[] = {
    {ENOSPC, kFreeSpace},
    {EDQUOT, kFreeSpace},
    {EACCES, kPermissions},
    {EPERM, kPermissions},
    {EROFS, kPermissions},
    {ENOENT, kCheckPath},
    {ENOTDIR, kCheckPath},
    {ELOOP, kCheckPath},
    {ENAMETOOLONG, "use a shorter name"},
    {EISDIR, "a file is expected here"},
    {EMFILE, "raise the limit of open files (ulimit -n)"},
    {EFBIG, "raise the limit of file sizes (ulimit -f), or choose a file system that holds larger files"},
    {EIO, kFailingDisk, true},
    {ESTALE, kFailingDisk, true},
};
constexpr int kTransientErrors[] = {EAGAIN,      EBUSY,     ETIMEDOUT,    ECONNRESET, ECONNREFUSED, ENETDOWN,
                                    ENETUNREACH, EHOSTDOWN, EHOSTUNREACH, EREMOTEIO,  ENOLCK};

ErrorFacts facts_of(int error_number) {
  const auto* const found = std::ranges::find(kErrors, error_number, &ErrorFacts::number);
  if (found != std::end(kErrors)) return *found;
  return {error_number, "", std::ranges::find(kTransientErrors, error_number) != std::end(kTransientErrors)};
}

}  // namespace

Error::Error(const std::string& what, const std::string& where, const std::string& hint)
    : std::runtime_error(message(what, where, hint)), where_(where), hint_(hint) {}

IoError IoError::from_errno(const std::string& what, const std::string& path, int error_number) {
  const ErrorFacts facts = facts_of(error_number);
  const std::string fault = error_number == ENOENT ? fault_of_address(path) : std::string();
  IoError error(what + " (" + std::strerror(error_number) + ")", path, fault.empty() ? facts.hint : fault);
  error.is_transient_ = facts.is_transient;
  error.is_missing_ = error_number == ENOENT;
  return error;
}

IoError IoError::of_servers(const std::string& what, const std::string& where, const std::string& hint,
                            bool is_transient) {
  IoError error(what, where, hint);
  error.is_transient_ = is_transient;
  return error;
}

Cancelled::Cancelled() : Error("interrupted", {}, "finished work is kept; the same command resumes") {}

void rethrow_as_error(std::string_view activity, const std::string& where) {
  try {
    throw;
  } catch (const std::filesystem::filesystem_error& error) {
    const std::string path = error.path1().empty() ? where : error.path1().string();
    throw IoError::from_errno("can't be used", path, error.code().value());
  } catch (const std::bad_alloc&) {
    throw Error("out of memory in " + std::string(activity), where,
                "use fewer `threads` and a lower `memory`, or give the job more memory");
  }
}

}  // namespace bertprep
