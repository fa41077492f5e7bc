#include "support/sealed_bytes.h"

#include "io/digest.h"

namespace bertprep::test {
namespace {

constexpr std::string_view kMember = "\"document_sha256\": \"";
constexpr std::string_view kEnd = "\"\n}\n";
constexpr std::size_t kDigits = 64;

bool has_seal(std::string_view bytes) {
  const std::size_t tail = kMember.size() + kDigits + kEnd.size();
  return bytes.size() > tail && bytes.ends_with(kEnd) && bytes.substr(bytes.size() - tail).starts_with(kMember);
}

// Without the last brace, to which a member can be added.
std::string_view opened(std::string_view bytes) {
  const std::size_t brace = bytes.rfind('}');
  return bytes.substr(0, brace == std::string_view::npos ? bytes.size() : brace);
}

}  // namespace

std::string sealed_anew(std::string_view bytes) {
  std::string sealed;
  if (has_seal(bytes)) {
    sealed = bytes.substr(0, bytes.size() - kDigits - kEnd.size());
  } else {
    sealed.append(opened(bytes)).append(",\n  ").append(kMember);
  }
  const std::size_t digits_at = sealed.size();
  sealed.append(kDigits, '0').append(kEnd);
  return sealed.replace(digits_at, kDigits, sha256_of(sealed));
}

}  // namespace bertprep::test
