#include "shard/hdf5/hdf5_call.h"

#include <cstring>
#include <mutex>
#include <string_view>
#include <type_traits>

#include "shard/hdf5/hdf5_library.h"

namespace bertprep {
namespace {

static_assert(std::is_same_v<hid_t, std::int64_t>, "HDF5 1.10 or newer");

bool library_has_locks() {
  static const bool has = [] {
    hbool_t safe = 0;
    return hdf5().is_library_threadsafe(&safe) >= 0 && safe > 0;
  }();
  return has;
}

// The library's state is global to the process, so its lock is too. Recursive, as handles close inside other calls.
std::recursive_mutex& gate() {
  static std::recursive_mutex mutex;
  return mutex;
}

struct Reason {
  std::string text;
  int error_number = 0;
};

int error_number_in(std::string_view text) {
  constexpr std::string_view kMark = "errno = ";
  const std::size_t at = text.find(kMark);
  return at == std::string_view::npos ? 0 : std::atoi(std::string(text.substr(at + kMark.size())).c_str());
}

// The innermost entry is the most specific; errno is in the text of one of them.
herr_t collect(unsigned depth, const H5E_error2_t* entry, void* data) {
  auto* reason = static_cast<Reason*>(data);
  const char* text = entry->desc != nullptr ? entry->desc : "";
  if (depth == 0) reason->text = text;
  if (reason->error_number == 0) reason->error_number = error_number_in(text);
  return 0;
}

Reason reason_of_last_error() {
  Reason reason;
  hdf5().Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect, &reason);
  return reason;
}

std::string with_reason(const std::string& what) {
  const std::string reason = reason_of_last_error().text;
  return reason.empty() ? what : what + " (HDF5: " + reason + ")";
}

}  // namespace

const Hdf5Library& hdf5() {
  static const Hdf5Library functions;
  static const bool is_open = functions.open() >= 0;
  if (!is_open) throw Error("HDF5 can't start");
  return functions;
}

Hdf5Call::Hdf5Call() {
  if (!library_has_locks()) gate().lock();
  hdf5().Eget_auto2(H5E_DEFAULT, &printer_, &printer_data_);
  hdf5().Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Call::~Hdf5Call() {
  hdf5().Eset_auto2(H5E_DEFAULT, printer_, printer_data_);
  if (!library_has_locks()) gate().unlock();
}

void Hdf5Call::fail_reading(const std::string& what, const std::filesystem::path& path) const {
  throw_refusal(what, path);
  throw FormatError(with_reason(what), path.string(), "the file may be damaged; make or copy it again");
}

void Hdf5Call::throw_refusal(const std::string& what, const std::filesystem::path& path) const {
  const int error_number = reason_of_last_error().error_number;
  if (error_number != 0) throw IoError::from_errno(what, path.string(), error_number);
}

void Hdf5Call::fail_writing(const std::string& what, const std::filesystem::path& path) const {
  throw_refusal(what, path);
  throw IoError(with_reason(what), path.string());
}

bool Hdf5Handle::close() {
  if (!ok()) return true;
  const Hdf5Call call;
  return close_(std::exchange(id_, kNone)) >= 0;
}

LibraryVersion version_of_hdf5(VersionOf wanted) {
  const auto text = [](unsigned first, unsigned second, unsigned third) {
    return std::to_string(first) + "." + std::to_string(second) + "." + std::to_string(third);
  };
  const std::string headers = text(H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE);
  if (wanted == VersionOf::kHeaders) return {"HDF5", headers, {}};
  const Hdf5Call call;
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  hdf5().get_libversion(&major, &minor, &release);
  return {"HDF5", headers, text(major, minor, release)};
}

}  // namespace bertprep
