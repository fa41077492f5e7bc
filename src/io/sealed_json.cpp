#include "io/sealed_json.h"

#include "bertprep/base/error.h"
#include "io/sha256.h"

namespace bertprep {
namespace {

constexpr std::string_view kMember = "document_sha256";
constexpr std::size_t kDigits = 64;
constexpr std::string_view kEnd = "\"\n}\n";

std::string unsealed(std::string_view bytes) {
  std::string zeroed(bytes);
  zeroed.replace(bytes.size() - kEnd.size() - kDigits, kDigits, kDigits, '0');
  return zeroed;
}

}  // namespace

std::string seal(Json object) {
  object.add(std::string(kMember), Json::string(std::string(kDigits, '0')));
  std::string bytes = object.dump();
  const std::string digest = sha256_of(bytes);
  bytes.replace(bytes.size() - kEnd.size() - kDigits, kDigits, digest);
  return bytes;
}

Json parse_sealed(std::string_view bytes, const std::string& name) {
  const std::size_t end = kEnd.size() + kDigits;
  const bool is_whole = bytes.size() > end && bytes.ends_with(kEnd);
  if (!is_whole || bytes.substr(bytes.size() - end, kDigits) != sha256_of(unsealed(bytes))) {
    throw FormatError("is damaged: its bytes are not those that were written", name);
  }
  Json json = Json::parse(bytes, name);
  json.at(kMember);
  return json;
}

}  // namespace bertprep
