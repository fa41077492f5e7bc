// ArchiveLocale: makes this thread's locale UTF-8 during its lifetime. libarchive converts the names in zip and 7z
// files to the locale's encoding, and drops those it can't convert.
#pragma once

#include <clocale>

namespace bertprep {

class ArchiveLocale {
 public:
  ArchiveLocale() : locale_(newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t{})) {
    if (locale_ != locale_t{}) before_ = uselocale(locale_);
  }
  ~ArchiveLocale() {
    if (locale_ == locale_t{}) return;
    uselocale(before_);
    freelocale(locale_);
  }
  ArchiveLocale(const ArchiveLocale&) = delete;
  ArchiveLocale& operator=(const ArchiveLocale&) = delete;

 private:
  locale_t locale_;
  locale_t before_{};
};

}  // namespace bertprep
