#include "quality/croissant.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "base/fields.h"
#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/json.h"
#include "quality/embedded.h"
#include "shard/hdf5/file_digest.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kShardMediaType = "application/x-hdf5";
constexpr const char* kVocabMediaType = "text/plain";

std::string amount(std::uint64_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

// The manifest of another tool's rows, redistributed by `reshard`, has no lengths.
std::string description_of(const Manifest& manifest) {
  std::string text = "BERT pretraining rows: masked language model and next sentence prediction, ";
  if (const auto tokens = manifest.recipe_value("seq-len")) text += *tokens + " tokens, ";
  if (const auto most = manifest.recipe_value("max-predictions")) text += "up to " + *most + " predictions, ";
  return text + amount(manifest.rows(), "row") + " in " + amount(manifest.shards.size(), "HDF5 file") + ".";
}

Json file_json(const PublishedFile& file) {
  return Json::object()
      .add("@type", Json::string("cr:FileObject"))
      .add("@id", Json::string(file.name))
      .add("name", Json::string(file.name))
      .add("contentUrl", Json::string(file.name))
      .add("contentSize", Json::string(std::to_string(file.bytes) + " B"))
      .add("encodingFormat", Json::string(file.media_type))
      .add("sha256", Json::string(file.sha256));
}

void require_url(const std::string& option, const std::string& url) {
  const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= 0x20 || c == '\x7f'; };
  const std::size_t host = url.starts_with("https://") ? 8 : url.starts_with("http://") ? 7 : url.size();
  if (url.empty() || (host < url.size() && std::none_of(url.begin(), url.end(), is_blank))) return;
  throw ConfigError(quoted_field(option) + " " + url + " is not a URL", {}, "give it with https://");
}

bool is_day(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto year = number_in<unsigned>(text.substr(0, 4));
  const auto month = number_in<unsigned>(text.substr(5, 2));
  const auto day = number_in<unsigned>(text.substr(8));
  return year && month && day &&
         std::chrono::year_month_day(std::chrono::year(static_cast<int>(*year)), std::chrono::month(*month),
                                     std::chrono::day(*day))
             .ok();
}

PublishedFile checked_file(const fs::path& folder, const std::string& name, const char* media_type,
                           const std::string& expected_sha256, const Progress& progress) {
  const FileDigest digest = digest_file(folder / name, progress);
  if (digest.sha256 != expected_sha256) {
    throw FormatError("has sha256 " + digest.sha256 + ", the manifest says " + expected_sha256, folder / name,
                      "run the command that made the dataset again; bertprep verify tells more");
  }
  return {name, digest.bytes, digest.sha256, media_type};
}

const std::string* text_of(const Json& object, std::string_view key) {
  const Json* value = object.kind() == Json::Kind::Object ? object.find(key) : nullptr;
  return value != nullptr && value->kind() == Json::Kind::String ? &value->text() : nullptr;
}

}  // namespace

void validate(const CroissantFacts& facts) {
  require_url("license", facts.license);
  require_url("url", facts.url);
  if (!facts.date.empty() && !is_day(facts.date)) {
    throw ConfigError("`date` " + facts.date + " is not a day", {}, "give it as YYYY-MM-DD");
  }
}

std::vector<PublishedFile> published_files(const fs::path& folder, const Manifest& manifest, Progress& progress) {
  std::vector<PublishedFile> files;
  progress.begin("croissant", manifest.shards.size(), "shards");
  for (const ManifestShard& shard : manifest.shards) {
    if (progress.cancelled()) throw Cancelled();
    files.push_back(checked_file(folder, shard.file, kShardMediaType, shard.sha256, progress));
    progress.advance(1);
  }
  if (manifest.vocabulary) {
    files.push_back(
        checked_file(folder, ManifestVocab::kFileName, kVocabMediaType, manifest.vocabulary->sha256, progress));
  }
  progress.end();
  return files;
}

std::string croissant_json(const Manifest& manifest, const std::vector<PublishedFile>& files,
                           const CroissantFacts& facts) {
  Json document = Json::object();
  const auto add_if_any = [&](const char* key, const std::string& text) {
    if (!text.empty()) document.add(key, Json::string(text));
  };
  // The context of the official validator, which refuses the http://schema.org/ of the specification's appendix, and
  // warns if one of the older terms path, repeated, replace and samplingRate is missing.
  document.add("@context", Json::parse(embedded::kCroissantContext, "croissant_context.json"))
      .add("@type", Json::string("sc:Dataset"))
      .add("name", Json::string(manifest.dataset))
      .add("conformsTo", Json::string("http://mlcommons.org/croissant/1.1"))
      .add("description", Json::string(facts.description.empty() ? description_of(manifest) : facts.description));
  add_if_any("license", facts.license);
  add_if_any("url", facts.url);
  if (!facts.creator.empty()) {
    document.add("creator",
                 Json::object().add("@type", Json::string("sc:Organization")).add("name", Json::string(facts.creator)));
  }
  add_if_any("datePublished", facts.date);
  if (const auto version = manifest.recipe_value("stage-version")) add_if_any("version", *version + ".0.0");
  Json list = Json::array();
  for (const PublishedFile& file : files) list.push(file_json(file));
  return document.add("distribution", std::move(list)).dump();
}

std::vector<std::string> outdated_files(std::string_view document, const std::string& name, const Manifest& manifest) {
  std::map<std::string, std::string> expected;
  for (const ManifestShard& shard : manifest.shards) expected.emplace(shard.file, shard.sha256);
  if (manifest.vocabulary) expected.emplace(ManifestVocab::kFileName, manifest.vocabulary->sha256);
  const Json json = Json::parse(document, name);
  std::vector<std::string> outdated;
  const Json* list = json.kind() == Json::Kind::Object ? json.find("distribution") : nullptr;
  if (list == nullptr || list->kind() != Json::Kind::Array) return outdated;
  for (const Json& file : list->items()) {
    const std::string* url = text_of(file, "contentUrl");
    const std::string* sha256 = text_of(file, "sha256");
    if (url == nullptr || sha256 == nullptr) continue;
    const auto found = expected.find(*url);
    if (found != expected.end() && found->second != *sha256) outdated.push_back(*url);
  }
  std::sort(outdated.begin(), outdated.end());
  return outdated;
}

}  // namespace bertprep
