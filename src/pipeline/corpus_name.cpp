#include "pipeline/corpus_name.h"

#include <algorithm>

#include "bertprep/base/error.h"
#include "bertprep/fetch/fetch.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "quality/trainer_files.h"
#include "source/input/input_list.h"
#include "unicode/ascii.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBytes = 100;  // as in check_name()

// "wikipedia:20231101.de": its last part is no ending.
std::string without_signs(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return c == ':' || c == '.'; }, '-');
  return name;
}

fs::path absolute_path(const fs::path& path) {
  if (is_address(path)) {
    const std::string shown = shown_address(path);
    if (shown.find("://") == std::string::npos) return absolute_path("/" + without_signs(shown));
    return absolute_path("/" + shown.substr(shown.find("://") + 3, shown.find('?') - shown.find("://") - 3));
  }
  const fs::path absolute = fs::absolute(path).lexically_normal();
  return absolute.has_filename() ? absolute : absolute.parent_path();
}

// The names of folders may end in a version, such as "news-2.1".
std::string_view without_endings(std::string_view name) {
  const std::string_view stem = stem_of(name);
  return stem.size() + 1 < name.size() && is_ascii_digit(name[stem.size() + 1]) ? name : stem;
}

bool is_accepted(const std::string& name) try {
  check_name(name);
  return true;
} catch (const ConfigError&) {
  return false;
}

std::string made_safe(std::string_view name) {
  const bool is_text = !find_invalid_utf8(name);
  std::string safe;
  for (const char c : name) {
    const bool is_other = static_cast<unsigned char>(c) >= 0x80 ? !is_text : !is_accepted(std::string("a") + c);
    if (!is_other) {
      safe += c;
    } else if (!safe.ends_with('_')) {
      safe += '_';
    }
  }
  safe.erase(0, std::min(safe.find_first_not_of("-._"), safe.size()));
  std::size_t end = std::min(safe.size(), kMaxBytes);
  while (end > 0 && find_invalid_utf8(std::string_view(safe).substr(0, end))) --end;
  while (end > 0 && (safe[end - 1] == '_' || safe[end - 1] == '.')) --end;
  safe.resize(end);
  return safe;
}

// The names of its shards would be those of a split.
bool names_a_split(const std::string& name) {
  return !splits_of(name + "_").empty() || name.find("training") != std::string::npos;
}

fs::path common_folder(std::span<const fs::path> inputs) {
  fs::path folder = absolute_path(inputs.front()).parent_path();
  for (const fs::path& input : inputs.subspan(1)) {
    const fs::path other = absolute_path(input).parent_path();
    const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), other.begin(), other.end());
    fs::path common;
    for (auto part = folder.begin(); part != end; ++part) common /= *part;
    folder = common;
  }
  return folder;
}

}  // namespace

std::string name_of_corpus(std::span<const fs::path> inputs) {
  if (inputs.empty()) return CorpusOptions().name;
  fs::path named = inputs.size() == 1 ? absolute_path(inputs.front()) : common_folder(inputs);
  std::string name = made_safe(without_endings(named.filename().string()));
  while (!is_accepted(name) || names_a_split(name)) {
    named = named.parent_path();
    if (!named.has_filename()) return CorpusOptions().name;
    name = made_safe(without_endings(named.filename().string()));
  }
  return name;
}

}  // namespace bertprep
