// InputDigest: what the inputs of a stage hold, whatever they are called and whenever they were written.
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
  std::string digest;  // XXH3 (128 bits) over the digests of the files, in their order; empty: not known yet
  std::uint64_t bytes = 0;
};

// The files that open_corpus would read, in their order.
std::vector<std::filesystem::path> files_of_corpus(std::span<const CorpusPart> parts);
// Throws IoError.
std::uint64_t bytes_of(std::span<const std::filesystem::path> files);

// Reads the files; a span "check" of `progress`. Throws IoError, and Cancelled.
InputDigest digest_files(std::span<const std::filesystem::path> files, Progress& progress);

// The same of files that a stage reads anyway, so that none is read twice: their bytes are hashed while they pass by.
class InputHasher final : public ReadObserver {
 public:
  InputHasher();
  ~InputHasher() override;
  void begin_file(const std::filesystem::path& file) override;
  void see(std::uint64_t begin, std::string_view bytes) override;

  // When reading is over. What nobody read of `files`, or not from front to back, is read now. Throws IoError,
  // Cancelled, and FormatError for a file that changed in between.
  InputDigest finish(std::span<const std::filesystem::path> files, const Progress& progress);

 private:
  struct File;

  void end_file();
  void add(const std::filesystem::path& path, const std::string& digest);

  std::unique_ptr<File> file_;                                   // that is read
  std::map<std::filesystem::path, std::unique_ptr<File>> rest_;  // those whose end was not reached
  std::map<std::filesystem::path, std::string> digests_;         // of the others
};

}  // namespace bertprep
