#include "io/digest.h"

#include <blake2.h>
#include <nettle/nettle-meta.h>
#include <nettle/version.h>

// Compiled in, so that consumers of the library need not link xxHash.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "io/loaded_library.h"

namespace bertprep {
namespace {

// In the order of DigestKind. Nettle loads in a tenth of the time of OpenSSL's libcrypto and computes as fast.
constexpr const nettle_hash* kHashes[] = {&nettle_md5, &nettle_sha1, &nettle_sha256, &nettle_sha512};

const nettle_hash& hash_of(DigestKind kind) {
  return *kHashes[static_cast<std::size_t>(kind)];
}

// Nettle has no BLAKE2, which few indexes name.
struct Blake2Library {
  LoadedLibrary library{BERTPREP_BLAKE2_NAME, BERTPREP_BLAKE2_FILE};
  decltype(&::blake2b) b = library["blake2b"];
  decltype(&::blake2s) s = library["blake2s"];
};

std::string hex_digits(XXH128_hash_t hash) {
  return bertprep::hex_digits(hash.high64) + bertprep::hex_digits(hash.low64);
}

const Blake2Library& libb2() {
  static const Blake2Library functions;
  return functions;
}

template <std::size_t kBytes, class Function>
std::string blake2(Function Blake2Library::*function, std::string_view bytes) {
  std::array<std::uint8_t, kBytes> digest;
  (libb2().*function)(digest.data(), bytes.data(), nullptr, digest.size(), bytes.size(), 0);
  return hex_of(bytes_in_memory(digest));
}

}  // namespace

std::string_view digest_name(DigestKind kind) {
  return hash_of(kind).name;
}

std::size_t digest_hex_characters(DigestKind kind) {
  return 2 * hash_of(kind).digest_size;
}

Digest::Digest(DigestKind kind) : kind_(kind), context_(hash_of(kind).context_size) {
  hash_of(kind).init(context_.data());
}

void Digest::update(std::span<const std::byte> bytes) {
  hash_of(kind_).update(context_.data(), bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

std::string Digest::finish() {
  std::string digest(hash_of(kind_).digest_size, '\0');
  hash_of(kind_).digest(context_.data(), digest.size(), reinterpret_cast<std::uint8_t*>(digest.data()));
  return hex_of(digest);
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

LibraryVersion version_of_nettle() {
  const auto text = [](int major, int minor) { return std::to_string(major) + "." + std::to_string(minor); };
  return {"Nettle", text(NETTLE_VERSION_MAJOR, NETTLE_VERSION_MINOR),
          text(::nettle_version_major(), ::nettle_version_minor())};
}

std::string hex_of(std::string_view bytes) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += {kHex[byte >> 4U], kHex[byte & 15U]};
  }
  return text;
}

std::string hex_digits(std::uint64_t checksum) {
  std::array<char, 8> bytes;
  for (std::size_t i = bytes.size(); i-- > 0; checksum >>= 8U) bytes[i] = static_cast<char>(checksum & 0xFFU);
  return hex_of({bytes.data(), bytes.size()});
}

struct Xxh3::State {
  Width width;
  XXH3_state_t sum;
};

Xxh3::Xxh3(Width width) : state_(std::make_unique<State>()) {
  state_->width = width;
  (width == Width::k64 ? XXH3_64bits_reset : XXH3_128bits_reset)(&state_->sum);
}

Xxh3::~Xxh3() = default;
Xxh3::Xxh3(Xxh3&&) noexcept = default;
Xxh3& Xxh3::operator=(Xxh3&&) noexcept = default;

void Xxh3::update(std::string_view bytes) {
  (state_->width == Width::k64 ? XXH3_64bits_update : XXH3_128bits_update)(&state_->sum, bytes.data(), bytes.size());
}

std::string Xxh3::finish() const {
  if (state_->width == Width::k64) return hex_digits(XXH3_64bits_digest(&state_->sum));
  return hex_digits(XXH3_128bits_digest(&state_->sum));
}

std::string xxh3_of(std::string_view bytes) {
  return hex_digits(checksum_of(bytes));
}

std::uint64_t checksum_of(std::string_view bytes, std::uint64_t begin) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), begin);
}

std::optional<std::string> digest_by_name(std::string_view name, std::string_view bytes) {
  if (name == "xxh64") return hex_digits(XXH64(bytes.data(), bytes.size(), 0));
  if (name == "xxh3_64") return xxh3_of(bytes);
  if (name == "xxh128") return hex_digits(XXH3_128bits(bytes.data(), bytes.size()));
  if (name == "blake2b") return blake2<BLAKE2B_OUTBYTES>(&Blake2Library::b, bytes);
  if (name == "blake2s") return blake2<BLAKE2S_OUTBYTES>(&Blake2Library::s, bytes);
  for (const DigestKind kind : {DigestKind::kMd5, DigestKind::kSha1, DigestKind::kSha256, DigestKind::kSha512}) {
    if (name == digest_name(kind)) return digest_of(kind, bytes);
  }
  return std::nullopt;
}

}  // namespace bertprep
