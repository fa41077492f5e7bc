// Known facts about a file: its size and digests; and whether it begins as its name promises.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/digest.h"

namespace bertprep {

struct FileFacts {
  std::uint64_t size_bytes = 0;  // 0: unknown
  std::string sha256{};          // lower-case hex; empty: unknown
  std::string sha1{};
  std::string md5{};

  const std::string& digest(DigestKind kind) const;
  void set_digest(DigestKind kind, std::string hex);
  bool has_digest() const { return !sha256.empty() || !sha1.empty() || !md5.empty(); }
};

// Computes all digests in `known`, and always SHA-256, of streamed bytes.
class FactsMeter {
 public:
  explicit FactsMeter(const FileFacts& known);
  void update(std::string_view bytes);
  // Don't update the object afterwards.
  FileFacts finish();

 private:
  std::uint64_t size_bytes_ = 0;
  std::vector<Digest> digests_;
};

// How `found` contradicts `known`, in words; empty if it doesn't.
std::string contradiction(const FileFacts& known, const FileFacts& found);

// Whether a file begins as its name promises: the page of a captive portal is not an archive.
inline constexpr std::size_t kMagicBytes = 6;

// Also true if the name promises nothing. `head`: the first kMagicBytes, fewer of a shorter file.
bool begins_as_named(std::string_view name, std::string_view head);

}  // namespace bertprep
