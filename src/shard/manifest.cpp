#include "bertprep/shard/manifest.h"

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "io/json.h"

namespace bertprep {
namespace {

constexpr const char* kFormat = "bertprep-manifest";
constexpr const char* kVersion = "1";

// Written without quotes. A text that only looks like a number, as "007" or "1-2", is none.
bool is_plain_number(const std::string& value) {
  return is_json_number(value) && value.find('E') == std::string::npos;
}

Json recipe_json(const Manifest& manifest) {
  Json recipe = Json::object();
  for (const auto& [name, value] : manifest.recipe) {
    if (value == "true" || value == "false") {
      recipe.add(name, Json::boolean(value == "true"));
    } else {
      recipe.add(name, is_plain_number(value) ? Json::number_text(value) : Json::string(value));
    }
  }
  return recipe;
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

Manifest Manifest::load(const std::filesystem::path& file) {
  const Json json = parse_sealed(read_file(file), file.string());
  if (json.at("format").text() != kFormat || json.at("version").text() != kVersion) {
    throw FormatError("is no manifest of version 1", file, "it was made by another program or a newer version");
  }
  Manifest manifest;
  manifest.dataset = json.at("dataset").text();
  for (const auto& [name, value] : json.at("recipe").members()) manifest.recipe.emplace_back(name, value.text());
  if (const Json* rejected = json.find("rejected")) {
    for (const auto& [reason, times] : rejected->members()) {
      manifest.rejected_by_reason.add(reason, times.as_unsigned());
    }
  }
  for (const Json& shard : json.at("shards").items()) {
    manifest.shards.push_back({shard.at("file").text(), shard.at("rows").as_unsigned(), shard.at("bytes").as_unsigned(),
                               shard.at("sha256").text(), shard.at("text_sha256").text()});
  }
  return manifest;
}

std::string Manifest::to_json() const {
  Json list = Json::array();
  for (const ManifestShard& shard : shards) {
    list.push(Json::object()
                  .add("file", Json::string(shard.file))
                  .add("rows", Json::number(shard.rows))
                  .add("bytes", Json::number(shard.bytes))
                  .add("sha256", Json::string(shard.sha256))
                  .add("text_sha256", Json::string(shard.text_sha256)));
  }
  Json manifest = Json::object();
  manifest.add("format", Json::string(kFormat))
      .add("version", Json::number_text(kVersion))
      .add("dataset", Json::string(dataset))
      .add("rows", Json::number(rows()))
      .add("recipe", recipe_json(*this));
  if (!rejected_by_reason.is_empty()) {
    Json rejected = Json::object();
    for (const auto& [reason, times] : rejected_by_reason.by_reason()) rejected.add(reason, Json::number(times));
    manifest.add("rejected", std::move(rejected));
  }
  return seal(std::move(manifest.add("shards", std::move(list))));
}

}  // namespace bertprep
