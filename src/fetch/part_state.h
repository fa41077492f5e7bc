// PartState: what an unfinished download is a part of. It lies beside the part, as JSON.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "fetch/http_client.h"

namespace bertprep {

struct PartState {
  std::string url{};
  std::string etag{};
  std::string last_modified{};
  std::uint64_t size_bytes = 0;  // of the whole; 0: the server did not say

  // For the header If-Range: a strong ETag, else the date (RFC 9110, section 13.1.5); empty: there is neither.
  std::string validator() const;
  // Whether `reply` is about another file than this one: a mark that both have differs.
  bool differs_from(const HttpReply& reply) const;
  // Whether `reply` says that it is about the same file.
  bool is_confirmed_by(const HttpReply& reply) const;
};

// Nothing when there is none or it can't be read: then the part is of no use.
std::optional<PartState> load_part_state(const std::filesystem::path& path);
// Beside, then renamed. Throws IoError.
void save_part_state(const PartState& state, const std::filesystem::path& path);

}  // namespace bertprep
