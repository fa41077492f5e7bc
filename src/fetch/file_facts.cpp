#include "fetch/file_facts.h"
#include "base/number_text.h"

#include <array>
#include <utility>

namespace bertprep {
namespace {

constexpr std::array kKinds = {DigestKind::kSha256, DigestKind::kSha1, DigestKind::kMd5};

using namespace std::string_view_literals;

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kMagic{{
    {".zip", "PK"sv},
    {".bz2", "BZh"sv},
    {".gz", "\x1f\x8b"sv},
    {".tgz", "\x1f\x8b"sv},
    {".xz",
     "\xfd"
     "7zXZ\0"sv},
    {".zst", "\x28\xb5\x2f\xfd"sv},
    {".7z", "7z\xbc\xaf\x27\x1c"sv},
    {".xml", "<"sv},
}};

}  // namespace

const std::string& FileFacts::digest(DigestKind kind) const {
  return kind == DigestKind::kSha256 ? sha256 : kind == DigestKind::kSha1 ? sha1 : md5;
}

void FileFacts::set_digest(DigestKind kind, std::string hex) {
  (kind == DigestKind::kSha256 ? sha256 : kind == DigestKind::kSha1 ? sha1 : md5) = std::move(hex);
}

FactsMeter::FactsMeter(const FileFacts& known) {
  for (const DigestKind kind : kKinds) {
    if (kind == DigestKind::kSha256 || !known.digest(kind).empty()) digests_.emplace_back(kind);
  }
}

void FactsMeter::update(std::string_view bytes) {
  size_bytes_ += bytes.size();
  for (Digest& digest : digests_) digest.update(bytes);
}

FileFacts FactsMeter::finish() {
  FileFacts facts;
  facts.size_bytes = size_bytes_;
  for (Digest& digest : digests_) facts.set_digest(digest.kind(), digest.finish());
  return facts;
}

std::string contradiction(const FileFacts& known, const FileFacts& found) {
  if (known.size_bytes != 0 && known.size_bytes != found.size_bytes) {
    return "has " + counted(found.size_bytes, "byte") + " instead of " + grouped(known.size_bytes);
  }
  for (const DigestKind kind : kKinds) {
    const std::string& expected = known.digest(kind);
    const std::string& actual = found.digest(kind);
    if (expected.empty() || actual.empty() || expected == actual) continue;
    return "has the " + std::string(digest_name(kind)) + " " + actual + " instead of " + expected;
  }
  return {};
}

bool begins_as_named(std::string_view name, std::string_view head) {
  for (const auto& [ending, magic] : kMagic) {
    if (name.ends_with(ending)) return head.starts_with(magic);
  }
  return true;
}

}  // namespace bertprep
