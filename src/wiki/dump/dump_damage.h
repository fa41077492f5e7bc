// DumpDamage: what of a dump is lost, told by the pages around it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "bertprep/base/error.h"
#include "stream/byte_stream.h"

namespace bertprep {

struct DumpDamage {
  FileBytes bytes;                 // of the file, that can't be read
  std::uint64_t pages = 1;         // that are lost at least
  std::uint64_t likely_pages = 0;  // by the size of the pages in front; 0: not known
  std::string before{};            // the last page in front of it, and the first one that begins behind it; or empty
  std::string after{};
  bool is_open = true;  // no page has begun behind it so far
  std::string fault{};  // where no bytes are lost: what is wrong
};

// Behind the last page of a dump. `more` is what else is wrong with it, or empty.
FormatError damage_error(const std::string& dump, std::span<const DumpDamage> damage, const std::string& more);

}  // namespace bertprep
