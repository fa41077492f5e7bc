// FetchOptions: where downloads come from and how they are made.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "bertprep/base/fields.h"

namespace bertprep {

struct FetchOptions {
  std::string catalog;    // further catalogue files, separated by commas; their entries come first
  std::string mirror;     // base URLs that are tried first, separated by commas
  std::string from_file;  // a file or folder that is taken instead of a download
  // Of a dump: YYYYMMDD, or "latest": the dump that this folder was begun with, else the newest that is complete.
  std::string dump_date = "latest";
  std::string contact;              // mail address or URL for the User-Agent
  std::int64_t retries = 8;         // tries a mirror gets after the first
  std::int64_t stall_seconds = 60;  // without a byte, after which a try is given up
  std::int64_t connections = 3;     // at once to one host
  bool verify_certificates = true;
  bool offline = false;  // nothing is asked of a network: see OfflineError; mirrors that are file:// URLs are used

  static constexpr OptionGroup kGroup = OptionGroup::kDownload;
  static std::span<const Field<FetchOptions>> fields();
};

}  // namespace bertprep
