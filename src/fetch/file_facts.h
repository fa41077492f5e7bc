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

// Whether a file begins as its name promises: the page of a captive portal is not an archive, nor a text.
inline constexpr std::size_t kMagicBytes = 64;

// How it does not, in words; empty if it does. `head`: the first kMagicBytes, fewer of a shorter file. `is_known`: a
// digest tells whether it is the file, which may be a page if its name promises nothing else.
std::string fault_of_head(std::string_view name, std::string_view head, bool is_known);

}  // namespace bertprep
