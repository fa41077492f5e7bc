// Digests of bytes and files by Nettle: SHA-256 (FIPS 180-4), and SHA-1 and MD5, which some servers publish instead;
// checksums by xxHash.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/library_version.h"
#include "bertprep/base/progress.h"

namespace bertprep {

enum class DigestKind { kMd5, kSha1, kSha256, kSha512 };

std::string_view digest_name(DigestKind kind);       // "sha256"
std::size_t digest_hex_characters(DigestKind kind);  // 64

class Digest {
 public:
  explicit Digest(DigestKind kind);

  DigestKind kind() const { return kind_; }
  void update(std::span<const std::byte> bytes);
  void update(std::string_view bytes) { update(std::as_bytes(std::span(bytes))); }
  // The digest in lower-case hex; don't update the object afterwards.
  std::string finish();
  // The same of the bytes until now; more may follow.
  std::string so_far() const { return Digest(*this).finish(); }

 private:
  DigestKind kind_;
  std::vector<std::byte> context_;  // Nettle's
};

std::string digest_of(DigestKind kind, std::string_view bytes);

class Sha256 final : public Digest {
 public:
  Sha256() : Digest(DigestKind::kSha256) {}
};

std::string sha256_of(std::string_view bytes);
// The same for many bytes. Throws Cancelled.
std::string sha256_of(std::string_view bytes, const Progress& progress);
// Streams the file. Throws IoError, Cancelled.
std::string sha256_of_file(const std::filesystem::path& path, const Progress& progress = {});

LibraryVersion version_of_nettle();

// Checksums of the sections of side files: XXH3 (64 bits) by xxHash. They detect damage; use SHA-256 against tampering.

// `begin` is any number: the checksum of the preceding bytes, or the number of a section, so that swapped sections are
// detected.
std::uint64_t checksum_of(std::string_view bytes, std::uint64_t begin = 0);

// The same for a whole file, in 16 hexadecimal digits, or in 32 by XXH3 of 128 bits: identifies an input file.
class Xxh3 {
 public:
  enum class Width { k64, k128 };

  Xxh3() : Xxh3(Width::k64) {}
  explicit Xxh3(Width width);
  ~Xxh3();
  Xxh3(Xxh3&&) noexcept;
  Xxh3& operator=(Xxh3&&) noexcept;
  void update(std::string_view bytes);
  std::string finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The digits of bytes, and of a number 16.
std::string hex_of(std::string_view bytes);
std::string hex_digits(std::uint64_t checksum);

// Numbers as the bytes that they are in memory, to digest or to write.
template <class Numbers>
std::string_view bytes_in_memory(const Numbers& numbers) {
  const auto bytes = std::as_bytes(std::span(numbers));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string xxh3_of(std::string_view bytes);

class Xxh128 final : public Xxh3 {
 public:
  Xxh128() : Xxh3(Width::k128) {}
};

// Digests in the indexes of other programs, by their names in Python's hashlib or xxhash; fastest first.
inline constexpr std::array<std::string_view, 9> kDigestNames = {"xxh3_64", "xxh64",   "xxh128",  "sha1",  "sha256",
                                                                 "md5",     "blake2b", "blake2s", "sha512"};
// The digest of `bytes` by one of these names; nothing for another name. Throws Error without a library for BLAKE2.
std::optional<std::string> digest_by_name(std::string_view name, std::string_view bytes);

}  // namespace bertprep
