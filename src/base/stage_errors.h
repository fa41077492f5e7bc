// Turns exceptions of the standard library into errors of this library.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// Called in a catch block: rethrows the exception. One of std::filesystem becomes an IoError with its path;
// std::bad_alloc an Error that names the activity and, unless `where` is empty, the file. Public functions of the
// stages end with
//
//   } catch (...) { rethrow_as_error("sharding"); }
[[noreturn]] void rethrow_as_error(std::string_view activity, const std::string& where = {});

}  // namespace bertprep
