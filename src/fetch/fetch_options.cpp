#include "base/fields.h"
#include "bertprep/fetch/fetch.h"

#include <array>

namespace bertprep {

const OptionGroup FetchOptions::kGroup = OptionGroup::kDownload;

std::span<const Field<FetchOptions>> FetchOptions::fields() {
  static const std::array<Field<FetchOptions>, 10> kFields{{
      {.name = "catalog",
       .member = &FetchOptions::catalog,
       .unit = "files",
       .help = "further catalogue files, separated by commas; their entries come first",
       .in_recipe = false},
      {.name = "mirror",
       .member = &FetchOptions::mirror,
       .unit = "urls",
       .help = "base URLs that are tried first, separated by commas",
       .in_recipe = false},
      {.name = "from-file",
       .member = &FetchOptions::from_file,
       .unit = "path",
       .help = "a file or folder to take instead of downloading what is named",
       .in_recipe = false},
      {.name = "dump-date",
       .member = &FetchOptions::dump_date,
       .unit = "date",
       .help = "date of the dump for wikicorpus_LANG, such as 20260701, or latest",
       .in_recipe = false},
      {.name = "contact",
       .member = &FetchOptions::contact,
       .unit = "address",
       .help = "your mail address or URL, sent to servers in the User-Agent",
       .in_recipe = false},
      {.name = "retries",
       .member = &FetchOptions::retries,
       .unit = "tries",
       .help = "how often to retry each mirror",
       .min = 0,
       .in_recipe = false},
      {.name = "stall-seconds",
       .member = &FetchOptions::stall_seconds,
       .unit = "seconds",
       .help = "give up a try after this long without data",
       .min = 1,
       .in_recipe = false},
      {.name = "connections",
       .member = &FetchOptions::connections,
       .unit = "connections",
       .help = "simultaneous connections to one host",
       .min = 1,
       .max = 3,
       .in_recipe = false},
      {.name = "verify-certificates",
       .member = &FetchOptions::verify_certificates,
       .unit = "",
       .help = "check the certificates of servers",
       .in_recipe = false},
      {.name = "offline",
       .member = &FetchOptions::offline,
       .unit = "",
       .help = "use no network: say what is missing and how to get it",
       .in_recipe = false},
  }};
  return kFields;
}

}  // namespace bertprep
