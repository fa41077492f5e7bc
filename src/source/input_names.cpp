#include "source/input_names.h"

#include <algorithm>
#include <array>

#include "io/name_pattern.h"

namespace bertprep {
namespace {

constexpr std::array<std::string_view, 4> kCompressionEndings = {".gz", ".bz2", ".zst", ".xz"};
constexpr std::array<std::string_view, 8> kArchiveEndings = {".zip", ".7z",  ".tar",  ".tgz",
                                                             ".tbz", ".txz", ".tbz2", ".tzst"};

char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_archive_name(std::string_view name) {
  return std::any_of(kArchiveEndings.begin(), kArchiveEndings.end(),
                     [&](std::string_view ending) { return has_ending(name, ending); });
}

}  // namespace

bool has_ending(std::string_view name, std::string_view ending) {
  return name.size() >= ending.size() &&
         std::equal(ending.rbegin(), ending.rend(), name.rbegin(),
                    [](char wanted, char found) { return wanted == ascii_lower(found); });
}

std::string_view without_compression_ending(std::string_view name) {
  for (const std::string_view ending : kCompressionEndings) {
    if (has_ending(name, ending)) return name.substr(0, name.size() - ending.size());
  }
  return name;
}

std::optional<std::string> why_left_out(std::string_view path, const NameChoice& choice) {
  const std::string_view bare = without_compression_ending(path);
  const auto fits = [&](const std::string& patterns) {
    return matches_any(path, patterns) || matches_any(bare, patterns);
  };
  if (fits(choice.exclude)) return "left out by --exclude";
  if (is_archive_name(bare)) return std::nullopt;
  if (!choice.include.empty()) {
    return fits(choice.include) ? std::nullopt : std::optional<std::string>("left out as it fits no --include");
  }
  if (choice.ending.empty() || has_ending(bare, choice.ending)) return std::nullopt;
  return "left out as its name does not end in " + choice.ending + " (--include takes others)";
}

std::string_view last_part_of(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

std::string_view stem_of(std::string_view path) {
  const std::string_view name = without_compression_ending(last_part_of(path));
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
}

}  // namespace bertprep
