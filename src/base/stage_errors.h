// What the standard library throws, as errors of this library.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// Called in a catch block: throws what was caught. An exception of std::filesystem becomes an IoError with its path,
// lost memory an Error that says in what and, if `where` is not empty, at which file. Public functions of the stages
// end with
//
//   } catch (...) { rethrow_as_error("sharding"); }
[[noreturn]] void rethrow_as_error(std::string_view activity, const std::string& where = {});

}  // namespace bertprep
