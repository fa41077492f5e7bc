// Rejected records: counted by reason in completion records, and kept in a separate file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "bertprep/base/progress.h"
#include "bertprep/pipeline/stages.h"
#include "io/digest.h"
#include "io/json.h"
#include "io/output_file.h"
#include "pipeline/records/output_folder.h"

namespace bertprep {

class RejectFile {
 public:
  // The path of the file of that name in the state folder of `folder`.
  static std::filesystem::path path_of(const OutputFolder& folder, const std::string& name);

  // The file is `name` in the state folder of `folder`; it appears when the first record is rejected.
  RejectFile(const OutputFolder& folder, std::string name, Progress& progress);
  // The same, written at `pending`, which has the first `size_bytes` of an earlier process: `reasons`, as digested.
  RejectFile(PendingFile pending, std::uint64_t size_bytes, ReasonCounts reasons, Xxh3 digest, Progress& progress);

  void add(const std::string& where, const std::string& reason, std::string_view record);
  std::uint64_t count() const { return reasons_.total(); }
  const ReasonCounts& reasons() const { return reasons_; }
  const std::string& first_reason() const { return first_reason_; }
  // The path of the finished file; empty if no record was rejected.
  std::filesystem::path path() const { return reasons_.is_empty() ? std::filesystem::path() : final_path_; }
  // What has been written, also to the disk; 0 bytes if there is no file.
  std::uint64_t flush();
  std::string xxh3() const { return digest_.finish(); }
  // Gives the file its name; without rejected records, removes an older one.
  void finish();

 private:
  std::filesystem::path final_path_;
  PendingFile pending_;
  Progress& progress_;
  std::unique_ptr<OutputFile> file_;
  ReasonCounts reasons_;
  std::string first_reason_;
  Xxh3 digest_;
};

}  // namespace bertprep
