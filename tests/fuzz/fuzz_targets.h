// What fuzz targets share: their promise, and the list of all by name, which the build writes, for the program that
// replays their corpora.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <span>
#include <string_view>

// Ends the program, as the fuzzer expects it, if a promise is broken.
inline void require(bool holds, std::string_view broken = "a promise is broken") {
  if (holds) return;
  std::cerr << broken << '\n';
  std::abort();
}

using FuzzFunction = int(const std::uint8_t* data, std::size_t size);

struct FuzzTarget {
  std::string_view name;
  FuzzFunction* run;
};

std::span<const FuzzTarget> fuzz_targets();
