#include "pipeline/array/array_layout.h"

#include "io/digest.h"

namespace bertprep {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kRequestDigits = 12;

}  // namespace

fs::path array_folder(const fs::path& work) {
  return work / "array";
}

ArrayLayout array_layout(const fs::path& folder) {
  return {.folder = folder,
          .plan = folder / "plan.json",
          .finished = folder / "finished",
          .attempts = folder / "attempts",
          .format = folder / "format",
          .shard = folder / "shard"};
}

ArrayLayout array_layout(const ArrayJob& job) {
  const fs::path root = fs::absolute(job.folders.output).lexically_normal();
  const std::string digest = sha256_of(job.request + "\n" + root.string());
  return array_layout(array_folder(work_folder(job.folders)) / (job.name + "-" + digest.substr(0, kRequestDigits)));
}

}  // namespace bertprep
