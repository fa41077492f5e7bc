// DumpDamage: a lost part of a dump, described by the pages around it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "bertprep/base/error.h"
#include "stream/byte_stream.h"

namespace bertprep {

struct DumpDamage {
  FileBytes bytes;                 // of the file, unreadable
  std::uint64_t pages = 1;         // minimum number of lost pages
  std::uint64_t likely_pages = 0;  // estimated by the size of the pages before; 0: unknown
  std::string before{};            // the last page before it, and the first one that begins after it; or empty
  std::string after{};
  bool is_open = true;  // no page has begun after it yet
  std::string fault{};  // if no bytes are lost: what is wrong
};

// The error thrown after the last page of a dump. `more` is what else is wrong with it, or empty.
FormatError damage_error(const std::string& dump, std::span<const DumpDamage> damage, const std::string& more);

}  // namespace bertprep
