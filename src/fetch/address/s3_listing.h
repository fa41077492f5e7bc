// The XML that S3 answers with: pages of ListObjectsV2, and errors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bertprep {

struct S3Object {
  std::string key{};
  std::uint64_t size_bytes = 0;
};

struct S3Page {
  std::vector<S3Object> objects{};
  std::string next{};  // the token of the next page; empty: this is the last one
  std::string code{};  // of an error: "AccessDenied"
  std::string region{};
};

// Throws FormatError with `where` for what is not such XML.
S3Page parse_s3_page(std::string_view xml, const std::string& where);

}  // namespace bertprep
