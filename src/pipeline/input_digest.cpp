#include "pipeline/input_digest.h"

#include <vector>

#include "io/input_file.h"
#include "io/sha256.h"
#include "source/input_list.h"

namespace bertprep {

InputDigest digest_files(std::span<const std::filesystem::path> files) {
  InputDigest digest;
  Sha256 all;
  for (const std::filesystem::path& file : files) {
    digest.bytes += InputFile(file).size_bytes();
    all.update(sha256_of_file(file) + "\n");
  }
  digest.sha256 = all.finish();
  return digest;
}

InputDigest digest_corpus(std::span<const CorpusPart> parts) {
  std::vector<std::filesystem::path> files;
  for (const CorpusPart& part : parts) {
    const bool books = resolve_format(part.inputs, part.source) == "books";
    for (const Input& input : list_inputs(part.inputs, books ? ".txt" : "")) {
      files.insert(files.end(), input.files.begin(), input.files.end());
    }
  }
  return digest_files(files);
}

}  // namespace bertprep
