// RejectFile: bad records, counted, named and kept aside in a file of JSON lines (docs/formats/rejects.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "bertprep/base/progress.h"
#include "bertprep/base/reason_counts.h"
#include "bertprep/pipeline/stages.h"
#include "io/json.h"
#include "io/output_file.h"
#include "pipeline/output_folder.h"

namespace bertprep {

class RejectFile {
 public:
  // Where the file of that name in the state folder of `folder` lies.
  static std::filesystem::path path_of(const OutputFolder& folder, const std::string& name);

  // The file is called `name` in the state folder of `folder`; it appears when the first record is rejected.
  RejectFile(const OutputFolder& folder, std::string name, Progress& progress);

  void add(const std::string& where, const std::string& reason, std::string_view record);
  std::uint64_t count() const { return reasons_.total(); }
  const ReasonCounts& reasons() const { return reasons_; }
  // Where it lies when it is finished; empty when no record was rejected.
  std::filesystem::path path() const { return reasons_.is_empty() ? std::filesystem::path() : final_path_; }
  // Gives the file its name; without rejected records an older one is removed.
  void finish();

 private:
  std::filesystem::path final_path_;
  PendingFile pending_;
  Progress& progress_;
  std::unique_ptr<OutputFile> file_;
  ReasonCounts reasons_;
};

// What completion records say of the records that were rejected; `file` names them, and is set if there are any.
void take_rejects(const Json& counts, const std::filesystem::path& file, StageReport& report);

}  // namespace bertprep
