// Whether a sanitizer watches this build. Then memory and time are meaningless, and some of many similar cases suffice
// to find faults: tests run part of them, and all in other builds.
#pragma once

#include <cstddef>

namespace bertprep::test {

#ifdef BERTPREP_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

// Of `count` cases.
constexpr std::size_t some_of(std::size_t count) {
  return kSanitized ? (count + 4) / 5 : count;
}

}  // namespace bertprep::test
