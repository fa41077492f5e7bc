#include "bertprep/base/error.h"

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

std::string hint_for(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "free some space or choose another folder, then run the same command again";
    case EACCES:
    case EPERM:
    case EROFS:
      return "check the permissions of the folder or choose another one";
    case ENOENT:
    case ENOTDIR:
    case ELOOP:
      return "check the path";
    case ENAMETOOLONG:
      return "use a shorter name";
    case EISDIR:
      return "a file is expected here";
    case EIO:
    case ESTALE:
      return "the disk or the file server is failing; run the same command again";
    case EMFILE:
      return "raise the limit of open files (ulimit -n)";
    case EFBIG:
      return "raise the limit of file sizes (ulimit -f), or choose a file system that holds larger files";
    default:
      return {};
  }
}

bool is_transient_error(int error_number) {
  switch (error_number) {
    case EIO:
    case ESTALE:
    case EAGAIN:
    case EBUSY:
    case ETIMEDOUT:
    case ECONNRESET:
    case ECONNREFUSED:
    case ENETDOWN:
    case ENETUNREACH:
    case EHOSTDOWN:
    case EHOSTUNREACH:
    case EREMOTEIO:
    case ENOLCK:
      return true;
    default:
      return false;
  }
}

}  // namespace

Error::Error(const std::string& what, const std::string& where, const std::string& hint)
    : std::runtime_error(message(what, where, hint)), where_(where), hint_(hint) {}

IoError IoError::from_errno(const std::string& what, const std::string& path, int error_number) {
  const std::string fault = error_number == ENOENT ? fault_of_address(path) : std::string();
  IoError error(what + " (" + std::strerror(error_number) + ")", path, fault.empty() ? hint_for(error_number) : fault);
  error.is_transient_ = is_transient_error(error_number);
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
