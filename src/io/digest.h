// Digests of bytes by libcrypto: SHA-256, and SHA-1 and MD5, which some servers publish instead.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace bertprep {

enum class DigestKind { kMd5, kSha1, kSha256 };

std::string_view digest_name(DigestKind kind);       // "sha256"
std::size_t digest_hex_characters(DigestKind kind);  // 64

class Digest {
 public:
  // Throws Error where the machine's libcrypto refuses the kind (MD5 under some policies).
  explicit Digest(DigestKind kind);
  ~Digest();
  Digest(Digest&&) noexcept;
  Digest& operator=(Digest&&) noexcept;

  DigestKind kind() const { return kind_; }
  void update(std::span<const std::byte> bytes);
  void update(std::string_view bytes) { update(std::as_bytes(std::span(bytes))); }
  // The digest in lower-case hex; the object may not be updated afterwards.
  std::string finish();

 private:
  struct Context;
  DigestKind kind_;
  std::unique_ptr<Context> context_;
};

std::string digest_of(DigestKind kind, std::string_view bytes);

}  // namespace bertprep
