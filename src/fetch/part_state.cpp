#include "fetch/part_state.h"

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "io/json.h"
#include "io/pending_file.h"

namespace bertprep {

std::string PartState::validator() const {
  if (!etag.empty() && !etag.starts_with("W/")) return etag;
  return last_modified;
}

bool PartState::differs_from(const HttpReply& reply) const {
  if (!etag.empty() && !reply.etag.empty() && etag != reply.etag) return true;
  return !last_modified.empty() && !reply.last_modified.empty() && last_modified != reply.last_modified;
}

bool PartState::is_confirmed_by(const HttpReply& reply) const {
  if (differs_from(reply)) return false;
  return (!etag.empty() && etag == reply.etag) || (!last_modified.empty() && last_modified == reply.last_modified);
}

std::optional<PartState> load_part_state(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  try {
    const Json json = Json::parse(read_file(path), path);
    return PartState{json.at("url").text(), json.at("etag").text(), json.at("last-modified").text(),
                     json.at("size").as_unsigned()};
  } catch (const FormatError&) {
    return std::nullopt;
  }
}

void save_part_state(const PartState& state, const std::filesystem::path& path) {
  Json json = Json::object();
  json.add("url", Json::string(state.url));
  json.add("etag", Json::string(state.etag));
  json.add("last-modified", Json::string(state.last_modified));
  json.add("size", Json::number(state.size_bytes));
  publish_bytes(path, path.parent_path(), json.dump());
}

}  // namespace bertprep
