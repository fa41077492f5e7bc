// InputDigest: the content of a stage's inputs, independent of names and times.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/pipeline/stages.h"
#include "stream/byte_stream.h"

namespace bertprep {

struct InputDigest {
  std::string digest;  // XXH3 (128 bits) over the digests of the files, in order; empty: not yet known
  std::uint64_t bytes = 0;
};

// The files that open_corpus would read, in order.
std::vector<std::filesystem::path> files_of_corpus(std::span<const CorpusPart> parts);
// Identifies files by their paths, sizes and times, without reading them. Throws IoError.
std::string versions_of(std::span<const std::filesystem::path> files);
// Throws IoError.
std::uint64_t bytes_of(std::span<const std::filesystem::path> files);

// Reads the files; a span "check" of `progress`. `observer`, which may be null, receives their bytes. Throws IoError,
// and Cancelled.
InputDigest digest_files(std::span<const std::filesystem::path> files, Progress& progress,
                         ReadObserver* observer = nullptr);

// The digests of one file, and the digest of several whose digests are known.
struct FileDigests {
  std::string xxh3;
  std::string sha256;
  std::uint64_t bytes = 0;
};
FileDigests digests_of_file(const std::filesystem::path& file, const Progress& progress);
InputDigest combine(std::span<const FileDigests> files);

// The same for files that a stage reads anyway, so that none is read twice: hashes their bytes while they are read.
class InputHasher final : public ReadObserver {
 public:
  InputHasher();
  ~InputHasher() override;
  void begin_file(const std::filesystem::path& file) override;
  void see(std::uint64_t begin, std::string_view bytes) override;

  // Call after reading. Reads those of `files` that were not read completely from front to back. Throws IoError,
  // Cancelled, and FormatError for a file that changed in between.
  InputDigest finish(std::span<const std::filesystem::path> files, const Progress& progress);

 private:
  struct File;

  void end_file();
  void add(const std::filesystem::path& path, const std::string& digest);

  std::unique_ptr<File> file_;                                   // the current file
  std::map<std::filesystem::path, std::unique_ptr<File>> rest_;  // files whose end was not reached
  std::map<std::filesystem::path, std::string> digests_;         // of the others
};

}  // namespace bertprep
