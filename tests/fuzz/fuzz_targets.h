// All fuzz targets by name, for the program that replays their corpora. The build writes the list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

using FuzzFunction = int(const std::uint8_t* data, std::size_t size);

struct FuzzTarget {
  std::string_view name;
  FuzzFunction* run;
};

std::span<const FuzzTarget> fuzz_targets();
