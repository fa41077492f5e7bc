#include "base/stage_errors.h"

#include <filesystem>
#include <new>

#include "bertprep/base/error.h"

namespace bertprep {

void rethrow_as_error(std::string_view activity, const std::string& where) {
  try {
    throw;
  } catch (const std::filesystem::filesystem_error& error) {
    const std::string path = error.path1().empty() ? where : error.path1().string();
    throw IoError::from_errno("can't be used", path, error.code().value());
  } catch (const std::bad_alloc&) {
    throw Error("out of memory in " + std::string(activity), where,
                "use fewer --threads and a lower --memory, or give the job more memory");
  }
}

}  // namespace bertprep
