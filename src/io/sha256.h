// SHA-256 (FIPS 180-4) of bytes and files, by libcrypto.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/library_version.h"
#include "bertprep/base/progress.h"

namespace bertprep {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  void update(std::span<const std::byte> bytes);
  void update(std::string_view bytes) { update(std::as_bytes(std::span(bytes))); }
  // The digest in lower-case hex; the object may not be updated afterwards.
  std::string finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

std::string sha256_of(std::string_view bytes);
// Streams the file. Throws IoError, Cancelled.
std::string sha256_of_file(const std::filesystem::path& path, const Progress& progress = {});

LibraryVersion version_of_openssl();

}  // namespace bertprep
