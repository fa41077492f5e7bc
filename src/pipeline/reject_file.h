// RejectFile: bad records, counted, named and kept aside in a file of JSON lines (docs/formats/rejects.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "bertprep/base/progress.h"
#include "io/output_file.h"
#include "pipeline/output_folder.h"

namespace bertprep {

class RejectFile {
 public:
  // The file is called `name` in the state folder of `folder`; it appears when the first record is rejected.
  RejectFile(const OutputFolder& folder, std::string name, Progress& progress);

  void add(const std::string& where, const std::string& reason, std::string_view record);
  std::uint64_t count() const { return count_; }
  // Gives the file its name; without rejected records an older one is removed.
  void finish();

 private:
  std::filesystem::path final_path_;
  PendingFile pending_;
  Progress& progress_;
  std::unique_ptr<OutputFile> file_;
  std::uint64_t count_ = 0;
};

}  // namespace bertprep
