#include "fetch/file_facts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/number_text.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

constexpr std::array kKinds = {DigestKind::kSha256, DigestKind::kSha1, DigestKind::kMd5};

using namespace std::string_view_literals;

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kMagic{{
    {".zip", "PK"sv},
    {".bz2", "BZh"sv},
    {".gz", "\x1f\x8b"sv},
    {".tgz", "\x1f\x8b"sv},
    {".xz",
     "\xfd"
     "7zXZ\0"sv},
    {".zst", "\x28\xb5\x2f\xfd"sv},
    {".7z", "7z\xbc\xaf\x27\x1c"sv},
    {".parquet", "PAR1"sv},
    {".xml", "<"sv},
}};

bool is_page(std::string_view name, std::string_view head) {
  if (name.ends_with(".html") || name.ends_with(".htm") || name.ends_with(".xhtml")) return false;
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  head.remove_prefix(std::min(head.find_first_not_of(kAsciiBlanks), head.size()));
  return starts_in_any_case(head, "<!doctype html") || starts_in_any_case(head, "<html") ||
         starts_in_any_case(head, "<head>");
}

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

std::string fault_of_head(std::string_view name, std::string_view head, bool is_known) {
  const auto* const promise =
      std::ranges::find_if(kMagic, [&](const auto& magic) { return name.ends_with(magic.first); });
  const bool is_promised = promise != kMagic.end();
  const bool is_other = is_promised && !head.starts_with(promise->second);
  if ((is_other || !is_known) && is_page(name, head)) {
    return "is a page of HTML, such as servers show for a login or an error";
  }
  return is_other ? "is not the type of file that its name says: it begins with other bytes" : "";
}

}  // namespace bertprep
