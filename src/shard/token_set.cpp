#include "shard/token_set.h"

#include <charconv>
#include <system_error>

#include "bertprep/base/error.h"
#include "bertprep/shard/manifest.h"
#include "io/input_file.h"
#include "io/json.h"

namespace bertprep {
namespace {

constexpr std::string_view kFormat = "bertprep-sequences";

std::int64_t whole_number(const std::string& text, const std::filesystem::path& file) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1) {
    throw FormatError("has the vocab-size '" + text + "'", file, "run the command of the set again");
  }
  return value;
}

}  // namespace

std::optional<TokenSet> TokenSet::load(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / Manifest::kFileName;
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return std::nullopt;
  const std::string bytes = read_file(file);
  if (bytes.find('"' + std::string(kFormat) + '"') == std::string::npos) return std::nullopt;
  const Json json = parse_sealed(bytes, file.string());
  if (json.at("format").text() != kFormat) return std::nullopt;
  const Json& recipe = json.at("recipe");
  TokenSet set{.vocab_name = json.at("vocabulary").text(),
               .vocab_sha256 = recipe.at("vocab-sha256").text(),
               .vocab_size = whole_number(recipe.at("vocab-size").text(), file),
               .files = {}};
  for (const Json& entry : json.at("files").items()) {
    set.files.push_back({entry.at("name").text(), entry.at("sha256").text()});
  }
  return set;
}

}  // namespace bertprep
