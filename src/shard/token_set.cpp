#include "shard/token_set.h"

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/input_file.h"

namespace bertprep {
namespace {

// Of a set of token sequences; empty where there is none.
std::string manifest_bytes(const std::filesystem::path& folder) {
  const std::string bytes = read_file_if_any(folder / Manifest::kFileName).value_or("");
  return bytes.find('"' + std::string(TokenSet::kFormat) + '"') == std::string::npos ? "" : bytes;
}

std::int64_t size_of_vocab(const std::string& text, const std::filesystem::path& file) {
  const auto value = number_in<std::int64_t>(text);
  if (value && *value >= 1) return *value;
  throw FormatError("has the vocab-size '" + text + "'", file, "run the command of the set again");
}

}  // namespace

bool is_sequence_set(const std::filesystem::path& folder) {
  return !manifest_bytes(folder).empty();
}

std::optional<TokenSet> TokenSet::load(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / Manifest::kFileName;
  const std::string bytes = manifest_bytes(folder);
  if (bytes.empty()) return std::nullopt;
  const Json json = parse_sealed(bytes, file.string());
  if (json.at("format").text() != kFormat) return std::nullopt;
  const Json& recipe = json.at("recipe");
  TokenSet set{.vocab_name = json.at("vocabulary").text(),
               .vocab_sha256 = recipe.at("vocab-sha256").text(),
               .vocab_size = size_of_vocab(recipe.at("vocab-size").text(), file),
               .files = {}};
  for (const Json& entry : json.at("files").items()) {
    set.files.push_back({entry.at("name").text(), entry.at("sha256").text()});
  }
  return set;
}

Json json_of(const std::vector<ManifestSource>& sources) {
  return Json::array_of(sources, [](const ManifestSource& source) {
    return Json::object(
        {{"address", source.address}, {"files", source.files}, {"bytes", source.bytes}, {"sha256", source.sha256}});
  });
}

std::vector<ManifestSource> sources_in(const Json& list) {
  std::vector<ManifestSource> sources;
  for (const Json& json : list.items()) {
    sources.push_back({json.at("address").text(), json.at("files").as_unsigned(), json.at("bytes").as_unsigned(),
                       json.at("sha256").text()});
  }
  return sources;
}

}  // namespace bertprep
