#include "support/array_run.h"

#include "pipeline/array/array_plan.h"

#include "support/read_text.h"

namespace bertprep::test {

namespace fs = std::filesystem;

ArrayRun::ArrayRun(const fs::path& folder, std::vector<CorpusPart> parts, PipelineOptions options,
                   std::uint64_t piece_bytes)
    : parts_(std::move(parts)), options_(std::move(options)), piece_bytes_(piece_bytes) {
  std::vector<std::string> inputs;
  for (const CorpusPart& part : parts_) {
    for (const fs::path& input : part.inputs) inputs.push_back(input.string());
  }
  job_ = {.folders = {folder / "root", folder / "work"},
          .name = options_.corpus.name,
          .request = array_request(inputs, parts_.front().source, parts_.front().wiki, options_)};
}

fs::path ArrayRun::job_folder() const {
  for (const auto& entry : fs::directory_iterator(job_.folders.work / "array")) return entry.path();
  return {};
}

StageReport ArrayRun::fetch() {
  Progress silent;
  return plan_array(job_, parts_, options_, piece_bytes_, silent);
}

StageReport ArrayRun::task(ArrayStage stage, std::uint64_t task, std::uint64_t count) {
  Progress silent;
  return this->task(stage, task, count, silent);
}

StageReport ArrayRun::task(ArrayStage stage, std::uint64_t task, std::uint64_t count, Progress& progress) {
  return run_array_task(job_, stage, {task, count}, options_.work, {}, progress);
}

void ArrayRun::stage(ArrayStage stage, std::uint64_t count) {
  if (stage == ArrayStage::kFetch) {
    fetch();
    return;
  }
  if (!is_array(stage)) count = 1;
  for (std::uint64_t i = 0; i < count; ++i) task(stage, i, count);
}

void ArrayRun::stages(ArrayStage first, ArrayStage last, std::uint64_t count) {
  for (const ArrayStage one : kArrayStages) {
    if (one >= first && one <= last) stage(one, count);
  }
}

FileTree results_of(const fs::path& folder) {
  FileTree results;
  for (const char* part : {"root", "work"}) {
    for (auto& [name, bytes] : read_tree(folder / part)) {
      const bool is_rejects = name.ends_with(".rejects.jsonl");
      if (name.starts_with("array/") || (name.find(".bertprep/") != std::string::npos && !is_rejects)) continue;
      const std::string path = std::string(part) + "/" + name;
      results[path] = name.ends_with(".zst") ? read_text(folder / path) : bytes;
    }
  }
  return results;
}

std::vector<std::string> files_of_jobs(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder / "work/array")) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

}  // namespace bertprep::test
