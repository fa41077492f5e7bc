#include "fetch/fetched_record.h"

#include <chrono>
#include <vector>

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "io/json.h"
#include "io/pending_file.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

fs::path record_path(const fs::path& file, const fs::path& state_folder) {
  return state_folder / (file.filename().string() + ".fetched.json");
}

// A made file is made at one place: a user's copy of it elsewhere has the same name, size and time.
std::string place_of(const fs::path& file, const fs::path& state_folder) {
  return fs::absolute(file).lexically_normal().lexically_relative(
      fs::absolute(state_folder).lexically_normal().parent_path());
}

std::string time_of(const fs::path& file) {
  const auto since_epoch = fs::last_write_time(file).time_since_epoch();
  return std::to_string(std::chrono::duration_cast<std::chrono::nanoseconds>(since_epoch).count());
}

}  // namespace

std::optional<FetchedRecord> find_record(const fs::path& file, const fs::path& state_folder) {
  const fs::path path = record_path(file, state_folder);
  std::error_code error;
  if (!fs::is_regular_file(file, error) || !fs::is_regular_file(path, error)) return std::nullopt;
  try {
    const Json json = Json::parse(read_file(path), path);
    if (json.at("size").as_unsigned() != fs::file_size(file) || json.at("time").text() != time_of(file)) {
      return std::nullopt;
    }
    FetchedRecord record;
    record.from = json.at("from").text();
    if (const Json* made = json.find("made")) record.is_made = made->text() == place_of(file, state_folder);
    record.facts.size_bytes = json.at("size").as_unsigned();
    for (const DigestKind kind : {DigestKind::kSha256, DigestKind::kSha1, DigestKind::kMd5}) {
      if (const Json* hex = json.find(digest_name(kind))) record.facts.set_digest(kind, hex->text());
    }
    return record;
  } catch (const FormatError&) {
    return std::nullopt;
  }
}

void save_record(const FetchedRecord& record, const fs::path& file, const fs::path& state_folder) {
  Json json = Json::object();
  json.add("from", Json::string(record.from));
  json.add("size", Json::number(record.facts.size_bytes));
  json.add("time", Json::string(time_of(file)));
  if (record.is_made) json.add("made", Json::string(place_of(file, state_folder)));
  for (const DigestKind kind : {DigestKind::kSha256, DigestKind::kSha1, DigestKind::kMd5}) {
    const std::string& hex = record.facts.digest(kind);
    if (!hex.empty()) json.add(std::string(digest_name(kind)), Json::string(hex));
  }
  publish_bytes(record_path(file, state_folder), state_folder, json.dump());
}

FileFacts facts_of_file(const fs::path& path, const FileFacts& known) {
  InputFile file(path);
  FactsMeter meter(known);
  std::vector<char> buffer(std::size_t{1} << 18U);
  while (const std::size_t count = file.read(buffer)) meter.update({buffer.data(), count});
  return meter.finish();
}

}  // namespace bertprep
