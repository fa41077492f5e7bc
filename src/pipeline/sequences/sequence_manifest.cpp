#include "pipeline/sequences/sequence_manifest.h"

#include <system_error>

#include "bertprep/base/error.h"
#include "bertprep/shard/manifest.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "shard/mds/mds_index.h"
#include "shard/megatron/megatron_set.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "bertprep-sequences";
constexpr std::uint64_t kVersion = 1;

Json json_of(const SequenceCounts& counts) {
  return Json::object()
      .add("articles", Json::number(counts.articles))
      .add("sequences", Json::number(counts.sequences))
      .add("tokens", Json::number(counts.tokens))
      .add("dropped_tokens", Json::number(counts.dropped));
}

Json load_manifest(const fs::path& folder) {
  const fs::path file = folder / Manifest::kFileName;
  return parse_sealed(read_file(file), file.string());
}

// What is wrong with a file that the manifest names; empty: nothing.
std::string fault_of(const fs::path& file, const Json& entry, const Progress& progress) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  if (error) return "is missing";
  if (size != entry.at("bytes").as_unsigned()) {
    return "has " + std::to_string(size) + " bytes instead of " + entry.at("bytes").text();
  }
  if (sha256_of_file(file, progress) != entry.at("sha256").text()) return "has other bytes than were written";
  return {};
}

// The shards that an index of MDS names and that do not lie beside it.
void check_mds_index(const fs::path& index, VerifyReport& report) {
  const Json json = Json::parse(read_file(index), index.string());
  for (const Json& shard : json.at("shards").items()) {
    const Json& zip = shard.at("zip_data");
    const Json& data = zip.kind() == Json::Kind::Null ? shard.at("raw_data") : zip;
    const fs::path file = index.parent_path() / data.at("basename").text();
    std::error_code error;
    if (fs::file_size(file, error) == data.at("bytes").as_unsigned()) continue;
    report.problems.push_back(index.string() + ": names " + file.string() +
                              ", which is not there in its size; run the "
                              "command of the set again");
  }
}

}  // namespace

std::string sequence_manifest(const std::string& dataset, const Recipe& recipe, const std::string& vocab_name,
                              const std::map<std::string, SequenceCounts>& splits,
                              std::span<const CompletionRecord> parts) {
  Json files = Json::array();
  for (const CompletionRecord& part : parts) {
    for (const OutputEntry& output : part.outputs) {
      files.push(Json::object()
                     .add("name", Json::string(output.name))
                     .add("bytes", Json::number(output.size_bytes))
                     .add("sha256", Json::string(output.sha256)));
    }
  }
  Json counts = Json::object();
  for (const auto& [split, one] : splits) counts.add(split, json_of(one));
  return seal(Json::object()
                  .add("format", Json::string(kFormat))
                  .add("version", Json::number(kVersion))
                  .add("dataset", Json::string(dataset))
                  .add("vocabulary", Json::string(vocab_name))
                  .add("recipe", recipe.json())
                  .add("splits", std::move(counts))
                  .add("files", std::move(files)));
}

bool is_sequence_set(const fs::path& folder) {
  const fs::path file = folder / Manifest::kFileName;
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return false;
  const std::string bytes = read_file(file);
  return bytes.find('"' + std::string(kFormat) + '"') != std::string::npos;
}

VerifyReport verify_sequences(const fs::path& folder, const Progress& progress) {
  const Json manifest = load_manifest(folder);
  VerifyReport report;
  for (const Json& entry : manifest.at("files").items()) {
    const fs::path file = folder / entry.at("name").text();
    ++report.shards;
    report.bytes += entry.at("bytes").as_unsigned();
    const std::string fault = fault_of(file, entry, progress);
    if (!fault.empty()) report.problems.push_back(file.string() + ": " + fault + "; run the command of the set again");
  }
  for (const auto& [split, counts] : manifest.at("splits").members()) {
    report.rows += counts.at("sequences").as_unsigned();
    const fs::path index = folder / split / kMdsIndexName;
    std::error_code error;
    if (fs::is_regular_file(index, error)) {
      check_mds_index(index, report);
    } else if (manifest.at("recipe").at("to").text() == "mds") {
      report.problems.push_back(index.string() + ": is missing; run the command of the set again");
    }
  }
  return report;
}

}  // namespace bertprep
