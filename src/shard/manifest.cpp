#include "bertprep/shard/manifest.h"

#include <algorithm>

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "io/json.h"
#include "shard/token_set.h"

namespace bertprep {
namespace {

constexpr const char* kFormat = "bertprep-manifest";
constexpr const char* kVersion = "1";
// Begins the formats of all its manifests, and is among the first bytes.
constexpr const char* kOwnFormat = "\"bertprep-";

// Written without quotes. Text that only resembles a number, such as "007" or "1-2", is not one.
bool is_plain_number(const std::string& value) {
  return is_json_number(value) && value.find('E') == std::string::npos;
}

Json recipe_json(const Manifest& manifest) {
  Json recipe = Json::object();
  for (const auto& [name, value] : manifest.recipe) {
    if (value == "true" || value == "false") {
      recipe.add(name, value == "true");
    } else {
      recipe.add(name, is_plain_number(value) ? Json::number_text(value) : value);
    }
  }
  return recipe;
}

Json vocab_json(const ManifestVocab& vocab) {
  Json json = Json::object({{"file", ManifestVocab::kFileName}});
  if (!vocab.name.empty()) json.add("name", vocab.name);
  json.add("sha256", vocab.sha256).add("size", vocab.size);
  return json.add("lower_case", vocab.lower_case).add("strip_accents", vocab.strip_accents);
}

ManifestVocab vocab_of(const Json& json) {
  const Json* name = json.find("name");
  return {.name = name == nullptr ? "" : name->text(),
          .sha256 = json.at("sha256").text(),
          .size = json.at("size").as_unsigned(),
          .lower_case = json.at("lower_case").as_bool(),
          .strip_accents = json.at("strip_accents").as_bool()};
}

}  // namespace

std::uint64_t Manifest::rows() const {
  std::uint64_t sum = 0;
  for (const ManifestShard& shard : shards) sum += shard.rows;
  return sum;
}

std::optional<std::string> Manifest::recipe_value(const std::string& name) const {
  for (const auto& [key, value] : recipe) {
    if (key == name) return value;
  }
  return std::nullopt;
}

const ManifestShard* Manifest::shard(const std::string& file) const {
  const auto found = std::ranges::find(shards, file, &ManifestShard::file);
  return found == shards.end() ? nullptr : &*found;
}

std::optional<Manifest> Manifest::find(const std::filesystem::path& folder) try {
  const std::filesystem::path file = folder / kFileName;
  return std::filesystem::exists(file) ? std::optional(load(file)) : std::nullopt;
} catch (const FormatError&) {
  return std::nullopt;
}

bool Manifest::is_own(const std::filesystem::path& file) {
  return read_file(file).find(kOwnFormat) != std::string::npos;
}

Manifest Manifest::load(const std::filesystem::path& file) {
  const std::string bytes = read_file(file);
  if (bytes.find(kOwnFormat) == std::string::npos) {
    throw FormatError("is not a manifest of bertprep", file, "move it away, or choose another folder");
  }
  const auto sealed = [&] {
    try {
      return parse_sealed(bytes, file.string());
    } catch (const FormatError&) {
      throw FormatError("is damaged: its bytes differ from those that were written", file,
                        "restore it, or run the command that made the folder again");
    }
  };
  const Json json = sealed();
  if (json.at("format").text() == TokenSet::kFormat) {
    throw FormatError("describes token sequences, not BERT instances", file, "give a folder of shards");
  }
  if (json.at("format").text() != kFormat || json.at("version").text() != kVersion) {
    throw FormatError("is not a manifest of version 1", file, "it was made by another program or a newer version");
  }
  Manifest manifest;
  manifest.dataset = json.at("dataset").text();
  for (const auto& [name, value] : json.at("recipe").members()) manifest.recipe.emplace_back(name, value.text());
  if (const Json* vocabulary = json.find("vocabulary")) manifest.vocabulary = vocab_of(*vocabulary);
  if (const Json* sources = json.find("sources")) manifest.sources = sources_in(*sources);
  manifest.rejected_by_reason = reasons_in(json, "rejected");
  if (const Json* data = json.find("data")) {
    manifest.data = data->dump_line();
    if (const Json* warnings = json.find("warnings")) {
      for (const Json& warning : warnings->items()) {
        manifest.warnings.push_back({warning.at("about").text(), warning.at("text").text()});
      }
    }
  }
  for (const Json& shard : json.at("shards").items()) {
    manifest.shards.push_back({shard.at("file").text(), shard.at("rows").as_unsigned(), shard.at("bytes").as_unsigned(),
                               shard.at("sha256").text(), shard.at("text_sha256").text()});
  }
  return manifest;
}

std::string Manifest::to_json() const {
  Json manifest = Json::object({{"format", kFormat},
                                {"version", Json::number_text(kVersion)},
                                {"dataset", dataset},
                                {"rows", rows()},
                                {"recipe", recipe_json(*this)}});
  if (!sources.empty()) manifest.add("sources", json_of(sources));
  if (vocabulary) manifest.add("vocabulary", vocab_json(*vocabulary));
  if (!rejected_by_reason.is_empty()) manifest.add("rejected", json_of(rejected_by_reason));
  if (!data.empty()) {
    const auto warning_json = [](const DataWarning& warning) {
      return Json::object({{"about", warning.about}, {"text", warning.text}});
    };
    manifest.add("data", Json::parse(data, "the section of data"));
    manifest.add("warnings", Json::array_of(warnings, warning_json));
  }
  const auto shard_json = [](const ManifestShard& shard) {
    return Json::object({{"file", shard.file},
                         {"rows", shard.rows},
                         {"bytes", shard.bytes},
                         {"sha256", shard.sha256},
                         {"text_sha256", shard.text_sha256}});
  };
  return seal(std::move(manifest.add("shards", Json::array_of(shards, shard_json))));
}

}  // namespace bertprep
