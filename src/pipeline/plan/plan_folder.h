// PlanFolder: a folder for a sample, which goes when the object does.
#pragma once

#include <filesystem>

namespace bertprep {

class PlanFolder {
 public:
  // Makes .plan.HOST.PID in `work`, and `work` if need be; removes what killed processes of this machine left there.
  // Throws IoError.
  explicit PlanFolder(const std::filesystem::path& work);
  // Removes everything that the constructor made.
  ~PlanFolder();
  PlanFolder(const PlanFolder&) = delete;
  PlanFolder& operator=(const PlanFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::filesystem::path first_made_;  // the uppermost folder that was not there before
};

}  // namespace bertprep
