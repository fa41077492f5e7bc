#include "fetch/file_magic.h"

#include <array>
#include <cstddef>
#include <utility>

namespace bertprep {
namespace {

using namespace std::string_view_literals;

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kMagic{{
    {".zip", "PK"sv},
    {".bz2", "BZh"sv},
    {".gz", "\x1f\x8b"sv},
    {".tgz", "\x1f\x8b"sv},
    {".xz",
     "\xfd"
     "7zXZ\0"sv},
    {".zst", "\x28\xb5\x2f\xfd"sv},
    {".7z", "7z\xbc\xaf\x27\x1c"sv},
    {".xml", "<"sv},
}};

}  // namespace

bool begins_as_named(std::string_view name, std::string_view head) {
  for (const auto& [ending, magic] : kMagic) {
    if (name.ends_with(ending)) return head.starts_with(magic);
  }
  return true;
}

}  // namespace bertprep
