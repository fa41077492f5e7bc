// Whether a sanitizer watches this build. It makes memory and time mean nothing, and sees in some of many cases what it
// can see in all: tests take a part of them then, and all in every other build.
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
