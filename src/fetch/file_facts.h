// What is known of a file: its size and digests; and whether it begins as its name promises.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/digest.h"

namespace bertprep {

struct FileFacts {
  std::uint64_t size_bytes = 0;  // 0: not known
  std::string sha256{};          // lower-case hex; empty: not known
  std::string sha1{};
  std::string md5{};

  const std::string& digest(DigestKind kind) const;
  void set_digest(DigestKind kind, std::string hex);
  bool has_digest() const { return !sha256.empty() || !sha1.empty() || !md5.empty(); }
};

// All digests that `known` names, and SHA-256 in any case, of bytes that pass by.
class FactsMeter {
 public:
  explicit FactsMeter(const FileFacts& known);
  void update(std::string_view bytes);
  // The object may not be updated afterwards.
  FileFacts finish();

 private:
  std::uint64_t size_bytes_ = 0;
  std::vector<Digest> digests_;
};

// What is wrong with `found`, as words; empty when nothing contradicts `known`.
std::string contradiction(const FileFacts& known, const FileFacts& found);

// Whether a file begins as its name promises: a page of a captive portal is no archive.
inline constexpr std::size_t kMagicBytes = 6;

// True as well when the name promises nothing. `head`: the first kMagicBytes, fewer of a shorter file.
bool begins_as_named(std::string_view name, std::string_view head);

}  // namespace bertprep
