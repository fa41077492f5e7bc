#include "io/digest.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

// Compiled in, so that consumers of the library need not link xxHash.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

#include "bertprep/base/error.h"
#include "io/input_file.h"

namespace bertprep {
namespace {

std::string hex_of(std::span<const unsigned char> digest) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : digest) {
    text += kHex[byte >> 4U];
    text += kHex[byte & 15U];
  }
  return text;
}

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
  return hex_of({digest.data(), size});
}

std::string digest_of(DigestKind kind, std::string_view bytes) {
  Digest digest(kind);
  digest.update(bytes);
  return digest.finish();
}

std::string sha256_of(std::string_view bytes) {
  return digest_of(DigestKind::kSha256, bytes);
}

std::string sha256_of(std::string_view bytes, const Progress& progress) {
  constexpr std::size_t kBlockBytes = std::size_t{1} << 22U;
  Sha256 digest;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(kBlockBytes, bytes.size()))) {
    if (progress.cancelled()) throw Cancelled();
    digest.update(bytes.substr(0, kBlockBytes));
  }
  return digest.finish();
}

std::string sha256_of_file(const std::filesystem::path& path, const Progress& progress) {
  InputFile file(path);
  Sha256 digest;
  const ReadBuffer buffer;
  while (const std::size_t count = file.read(buffer.span())) {
    if (progress.cancelled()) throw Cancelled();
    digest.update(buffer.first(count));
  }
  return digest.finish();
}

LibraryVersion version_of_openssl() {
  return {"OpenSSL", OPENSSL_FULL_VERSION_STR, ::OpenSSL_version(OPENSSL_FULL_VERSION_STRING)};
}

std::string hex_digits(std::uint64_t checksum) {
  std::array<unsigned char, 8> bytes;
  for (std::size_t i = bytes.size(); i-- > 0; checksum >>= 8U) bytes[i] = static_cast<unsigned char>(checksum & 0xFFU);
  return hex_of(bytes);
}

struct Xxh3::State {
  XXH3_state_t sum;
};

Xxh3::Xxh3() : state_(std::make_unique<State>()) {
  XXH3_64bits_reset(&state_->sum);
}

Xxh3::~Xxh3() = default;

void Xxh3::update(std::string_view bytes) {
  XXH3_64bits_update(&state_->sum, bytes.data(), bytes.size());
}

std::string Xxh3::finish() const {
  return hex_digits(XXH3_64bits_digest(&state_->sum));
}

struct Xxh128::State {
  XXH3_state_t sum;
};

Xxh128::Xxh128() : state_(std::make_unique<State>()) {
  XXH3_128bits_reset(&state_->sum);
}

Xxh128::~Xxh128() = default;

void Xxh128::update(std::string_view bytes) {
  XXH3_128bits_update(&state_->sum, bytes.data(), bytes.size());
}

std::string Xxh128::finish() const {
  const XXH128_hash_t sum = XXH3_128bits_digest(&state_->sum);
  return hex_digits(sum.high64) + hex_digits(sum.low64);
}

std::string xxh3_of(std::string_view bytes) {
  return hex_digits(checksum_of(bytes));
}

std::uint64_t checksum_of(std::string_view bytes, std::uint64_t begin) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), begin);
}

namespace {

const EVP_MD* algorithm_named(std::string_view name) {
  if (name == "md5") return EVP_md5();
  if (name == "sha1") return EVP_sha1();
  if (name == "sha256") return EVP_sha256();
  if (name == "sha512") return EVP_sha512();
  if (name == "blake2b") return EVP_blake2b512();
  if (name == "blake2s") return EVP_blake2s256();
  return nullptr;
}

std::string hex_digest(const EVP_MD* algorithm, std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, algorithm, nullptr) != 1) {
    throw Error("this machine's libcrypto refuses the digest " + std::string(EVP_MD_name(algorithm)));
  }
  return hex_of({digest.data(), size});
}

}  // namespace

std::optional<std::string> digest_by_name(std::string_view name, std::string_view bytes) {
  if (name == "xxh64") return hex_digits(XXH64(bytes.data(), bytes.size(), 0));
  if (name == "xxh3_64") return xxh3_of(bytes);
  if (name == "xxh128") {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return hex_digits(hash.high64) + hex_digits(hash.low64);
  }
  const EVP_MD* algorithm = algorithm_named(name);
  return algorithm == nullptr ? std::nullopt : std::optional(hex_digest(algorithm, bytes));
}

}  // namespace bertprep
