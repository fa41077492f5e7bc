#include "io/digest.h"

#include <blake2.h>
#include <nettle/md5.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <nettle/version.h>

// Compiled in, so that consumers of the library need not link xxHash.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <variant>

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "io/loaded_library.h"

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

// Of Nettle, which loads in a tenth of the time of OpenSSL's libcrypto and computes as fast.
struct Md5 : md5_ctx {
  static constexpr std::size_t kBytes = MD5_DIGEST_SIZE;
  Md5() { nettle_md5_init(this); }
  void update(std::size_t size, const std::uint8_t* bytes) { nettle_md5_update(this, size, bytes); }
  void finish(std::uint8_t* digest) { nettle_md5_digest(this, kBytes, digest); }
};

struct Sha1 : sha1_ctx {
  static constexpr std::size_t kBytes = SHA1_DIGEST_SIZE;
  Sha1() { nettle_sha1_init(this); }
  void update(std::size_t size, const std::uint8_t* bytes) { nettle_sha1_update(this, size, bytes); }
  void finish(std::uint8_t* digest) { nettle_sha1_digest(this, kBytes, digest); }
};

struct Sha256State : sha256_ctx {
  static constexpr std::size_t kBytes = SHA256_DIGEST_SIZE;
  Sha256State() { nettle_sha256_init(this); }
  void update(std::size_t size, const std::uint8_t* bytes) { nettle_sha256_update(this, size, bytes); }
  void finish(std::uint8_t* digest) { nettle_sha256_digest(this, kBytes, digest); }
};

struct Sha512 : sha512_ctx {
  static constexpr std::size_t kBytes = SHA512_DIGEST_SIZE;
  Sha512() { nettle_sha512_init(this); }
  void update(std::size_t size, const std::uint8_t* bytes) { nettle_sha512_update(this, size, bytes); }
  void finish(std::uint8_t* digest) { nettle_sha512_digest(this, kBytes, digest); }
};

template <class State>
void add(State& state, std::span<const std::byte> bytes) {
  state.update(bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

template <class State>
std::string finished(State& state) {
  std::array<std::uint8_t, State::kBytes> digest;
  state.finish(digest.data());
  return hex_of(digest);
}

template <class State>
std::string hex_digest(std::string_view bytes) {
  State state;
  add(state, std::as_bytes(std::span(bytes)));
  return finished(state);
}

// Nettle has no BLAKE2, which few indexes name.
struct Blake2Library {
  LoadedLibrary library{BERTPREP_BLAKE2_NAME, BERTPREP_BLAKE2_FILE};
  decltype(&::blake2b) b = library["blake2b"];
  decltype(&::blake2s) s = library["blake2s"];
};

const Blake2Library& libb2() {
  static const Blake2Library functions;
  return functions;
}

template <std::size_t kBytes, class Function>
std::string blake2(Function Blake2Library::*function, std::string_view bytes) {
  std::array<std::uint8_t, kBytes> digest;
  (libb2().*function)(digest.data(), bytes.data(), nullptr, digest.size(), bytes.size(), 0);
  return hex_of(digest);
}

}  // namespace

struct Digest::Context {
  explicit Context(DigestKind kind) {
    if (kind == DigestKind::kMd5) state.emplace<Md5>();
    if (kind == DigestKind::kSha1) state.emplace<Sha1>();
  }

  std::variant<Sha256State, Sha1, Md5> state;
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
  switch (kind) {
    case DigestKind::kMd5:
      return 2 * Md5::kBytes;
    case DigestKind::kSha1:
      return 2 * Sha1::kBytes;
    case DigestKind::kSha256:
      break;
  }
  return 2 * Sha256State::kBytes;
}

Digest::Digest(DigestKind kind) : kind_(kind), context_(std::make_unique<Context>(kind)) {}

Digest::~Digest() = default;
Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;

void Digest::update(std::span<const std::byte> bytes) {
  std::visit([bytes](auto& state) { add(state, bytes); }, context_->state);
}

std::string Digest::finish() {
  return std::visit([](auto& state) { return finished(state); }, context_->state);
}

std::string Digest::so_far() const {
  auto state = context_->state;
  return std::visit([](auto& copy) { return finished(copy); }, state);
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
Xxh3::Xxh3(Xxh3&&) noexcept = default;
Xxh3& Xxh3::operator=(Xxh3&&) noexcept = default;

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

std::optional<std::string> digest_by_name(std::string_view name, std::string_view bytes) {
  if (name == "xxh64") return hex_digits(XXH64(bytes.data(), bytes.size(), 0));
  if (name == "xxh3_64") return xxh3_of(bytes);
  if (name == "xxh128") {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return hex_digits(hash.high64) + hex_digits(hash.low64);
  }
  if (name == "md5") return hex_digest<Md5>(bytes);
  if (name == "sha1") return hex_digest<Sha1>(bytes);
  if (name == "sha256") return hex_digest<Sha256State>(bytes);
  if (name == "sha512") return hex_digest<Sha512>(bytes);
  if (name == "blake2b") return blake2<BLAKE2B_OUTBYTES>(&Blake2Library::b, bytes);
  if (name == "blake2s") return blake2<BLAKE2S_OUTBYTES>(&Blake2Library::s, bytes);
  return std::nullopt;
}

}  // namespace bertprep
