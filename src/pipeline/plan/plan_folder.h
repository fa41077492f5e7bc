// PlanFolder: a temporary folder for a sample.
#pragma once

#include <filesystem>

namespace bertprep {

class PlanFolder {
 public:
  // Makes .plan.HOST.PID in `work`, and `work` if needed; removes folders of killed processes of this machine. Throws
  // IoError.
  explicit PlanFolder(const std::filesystem::path& work);
  // Removes everything that the constructor made.
  ~PlanFolder();
  PlanFolder(const PlanFolder&) = delete;
  PlanFolder& operator=(const PlanFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::filesystem::path first_made_;  // the topmost folder that it made
};

}  // namespace bertprep
