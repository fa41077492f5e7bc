#include "io/digest.h"

#include <openssl/evp.h>

#include <array>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

const EVP_MD* algorithm_of(DigestKind kind) {
  switch (kind) {
    case DigestKind::kMd5:
      return EVP_md5();
    case DigestKind::kSha1:
      return EVP_sha1();
    case DigestKind::kSha256:
      break;
  }
  return EVP_sha256();
}

[[noreturn]] void throw_refused(DigestKind kind) {
  throw Error(std::string(digest_name(kind)) + " is not available in this machine's libcrypto");
}

}  // namespace

struct Digest::Context {
  EVP_MD_CTX* handle = EVP_MD_CTX_new();
  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { EVP_MD_CTX_free(handle); }
};

std::string_view digest_name(DigestKind kind) {
  switch (kind) {
    case DigestKind::kMd5:
      return "md5";
    case DigestKind::kSha1:
      return "sha1";
    case DigestKind::kSha256:
      break;
  }
  return "sha256";
}

std::size_t digest_hex_characters(DigestKind kind) {
  return 2 * static_cast<std::size_t>(EVP_MD_size(algorithm_of(kind)));
}

Digest::Digest(DigestKind kind) : kind_(kind), context_(std::make_unique<Context>()) {
  if (EVP_DigestInit_ex(context_->handle, algorithm_of(kind), nullptr) != 1) throw_refused(kind);
}

Digest::~Digest() = default;
Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;

void Digest::update(std::span<const std::byte> bytes) {
  if (EVP_DigestUpdate(context_->handle, bytes.data(), bytes.size()) != 1) throw_refused(kind_);
}

std::string Digest::finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  if (EVP_DigestFinal_ex(context_->handle, digest.data(), &size) != 1) throw_refused(kind_);
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += kHex[digest[i] >> 4];
    text += kHex[digest[i] & 15];
  }
  return text;
}

std::string digest_of(DigestKind kind, std::string_view bytes) {
  Digest digest(kind);
  digest.update(bytes);
  return digest.finish();
}

}  // namespace bertprep
