#include "io/sha256.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <array>
#include <vector>

#include "bertprep/base/error.h"
#include "io/input_file.h"

namespace bertprep {

struct Sha256::Context {
  EVP_MD_CTX* handle = EVP_MD_CTX_new();
  ~Context() { EVP_MD_CTX_free(handle); }
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  if (EVP_DigestInit_ex(context_->handle, EVP_sha256(), nullptr) != 1) throw Error("SHA-256 is not available");
}

Sha256::~Sha256() = default;

void Sha256::update(std::span<const std::byte> bytes) {
  if (EVP_DigestUpdate(context_->handle, bytes.data(), bytes.size()) != 1) throw Error("SHA-256 failed");
}

std::string Sha256::finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  if (EVP_DigestFinal_ex(context_->handle, digest.data(), &size) != 1) throw Error("SHA-256 failed");
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += kHex[digest[i] >> 4];
    text += kHex[digest[i] & 15];
  }
  return text;
}

std::string sha256_of(std::string_view bytes) {
  Sha256 digest;
  digest.update(bytes);
  return digest.finish();
}

std::string sha256_of_file(const std::filesystem::path& path, const Progress& progress) {
  InputFile file(path);
  Sha256 digest;
  std::vector<char> buffer(std::size_t{1} << 18);
  while (const std::size_t count = file.read(buffer)) {
    if (progress.cancelled()) throw Cancelled();
    digest.update(std::string_view(buffer.data(), count));
  }
  return digest.finish();
}

LibraryVersion version_of_openssl() {
  return {"OpenSSL", OPENSSL_FULL_VERSION_STR, ::OpenSSL_version(OPENSSL_FULL_VERSION_STRING)};
}

}  // namespace bertprep
