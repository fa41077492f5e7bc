#include "shard/mds/mds_index.h"

#include <algorithm>

#include "base/number_text.h"

namespace bertprep {
namespace {

constexpr std::uint64_t kIndexVersion = 2;
constexpr std::size_t kMinDigits = 5;

Json list_of(std::vector<Json>& entries) {
  Json list = Json::array();
  for (Json& entry : entries) list.push(std::move(entry));
  return list;
}

Json file_entry(const MdsFile& file) {
  Json hashes = Json::object();
  for (const auto& [name, digest] : file.hashes) hashes.add(name, Json::string(digest));
  return Json::object()
      .add("basename", Json::string(file.basename))
      .add("bytes", Json::number(file.bytes))
      .add("hashes", std::move(hashes));
}

// `file` in `folder`: the entry "raw_data" or "zip_data".
Json moved(const Json& file, const std::string& folder) {
  if (file.kind() == Json::Kind::Null) return file;
  Json result = Json::object();
  for (const auto& [name, value] : file.members()) {
    result.add(name, name == "basename" ? Json::string(folder + "/" + value.text()) : value);
  }
  return result;
}

}  // namespace

Json mds_index_entry(const MdsFormat& format, const MdsShardFacts& shard) {
  return mds_index_entry(format.configuration().members(), shard);
}

Json mds_index_entry(Json::Members members, const MdsShardFacts& shard) {
  members.emplace_back("raw_data", file_entry(shard.raw));
  members.emplace_back("samples", Json::number(shard.samples));
  members.emplace_back("zip_data", shard.zip ? file_entry(*shard.zip) : Json());
  std::ranges::sort(members, {}, &Json::Members::value_type::first);
  Json entry = Json::object();
  for (auto& [name, value] : members) entry.add(std::move(name), std::move(value));
  return entry;
}

std::string mds_index(std::vector<Json> entries) {
  return Json::object().add("shards", list_of(entries)).add("version", Json::number(kIndexVersion)).dump_python();
}

std::string merged_mds_index(std::vector<Json> entries) {
  return Json::object().add("version", Json::number(kIndexVersion)).add("shards", list_of(entries)).dump_python();
}

std::string merge_mds_indexes(std::span<const MdsIndexPart> parts) {
  std::vector<Json> entries;
  for (const MdsIndexPart& part : parts) {
    const Json index = Json::parse(part.index, part.folder + "/" + kMdsIndexName);
    for (const Json& shard : index.at("shards").items()) {
      Json entry = Json::object();
      for (const auto& [name, value] : shard.members()) {
        entry.add(name, name == "raw_data" || name == "zip_data" ? moved(value, part.folder) : value);
      }
      entries.push_back(std::move(entry));
    }
  }
  return merged_mds_index(std::move(entries));
}

std::string mds_shard_name(std::uint64_t number) {
  return "shard." + padded_number(number, kMinDigits) + ".mds";
}

}  // namespace bertprep
