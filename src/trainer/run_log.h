// RunLog: what happened at which step, as JSON lines with the fields of NVIDIA's DLLogger (docs/formats/train-log.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace bertprep {

using LogValues = std::vector<std::pair<std::string, double>>;
using LogTexts = std::vector<std::pair<std::string, std::string>>;

class RunLog {
 public:
  // Appends to `path`, whose folder is made if needed. `mark` begins each line. Throws IoError.
  explicit RunLog(const std::filesystem::path& path, const std::string& mark = {});
  ~RunLog();
  RunLog(RunLog&&) noexcept;

  // Step -1 means the run as a whole. The line is in the file when the call returns. Throws IoError.
  void write(std::int64_t step, const LogValues& values);
  void write_texts(std::int64_t step, const LogTexts& texts);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bertprep
