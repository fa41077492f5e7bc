#include "pipeline/records/input_digest.h"

#include <vector>

#include "io/input_file.h"
#include "io/sha256.h"
#include "pipeline/work/workers.h"
#include "source/source_files.h"

namespace bertprep {
namespace {

// As sha256_of_file(), but stops within a moment: an input may have many gigabytes.
std::string digest_file(InputFile& file, std::vector<char>& buffer, Progress& progress) {
  Sha256 digest;
  while (const std::size_t count = file.read(buffer)) {
    stop_if_cancelled(progress);
    digest.update(std::string_view(buffer.data(), count));
    progress.advance(count);
  }
  return digest.finish();
}

}  // namespace

InputDigest digest_files(std::span<const std::filesystem::path> files, Progress& progress) {
  InputDigest digest;
  for (const std::filesystem::path& path : files) digest.bytes += InputFile(path).size_bytes();
  progress.begin("check", digest.bytes, "bytes");
  Sha256 all;
  std::vector<char> buffer(std::size_t{1} << 20);
  for (const std::filesystem::path& path : files) {
    InputFile file(path);
    all.update(digest_file(file, buffer, progress) + "\n");
  }
  digest.sha256 = all.finish();
  progress.end();
  return digest;
}

InputDigest digest_corpus(std::span<const CorpusPart> parts, Progress& progress) {
  std::vector<std::filesystem::path> files;
  for (const CorpusPart& part : parts) {
    refuse_pipes(part.inputs);
    const std::string format = resolve_format(part.inputs, part.source);
    for (const Input& input : list_source(part.inputs, format, part.source)) {
      files.insert(files.end(), input.files.begin(), input.files.end());
    }
  }
  return digest_files(files, progress);
}

}  // namespace bertprep
