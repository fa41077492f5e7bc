// Arbitrary bytes as the announcement of an array, under a matching name and another: refused, or shards and a job;
// readers of the folder must cope with it.
#include <cstdint>
#include <filesystem>
#include <string>

#include "bertprep/base/error.h"
#include "fuzz/fuzz_targets.h"
#include "io/digest.h"
#include "pipeline/records/announced_shards.h"
#include "shard/folder_gaps.h"
#include "support/temp_folder.h"

namespace {

namespace fs = std::filesystem;

// Repeating an announcement gives the same bytes, and no second file.
void announce_again(const bertprep::OutputFolder& folder, const bertprep::Announcement& announcement) {
  if (!announcement.job.empty()) {
    bertprep::announce_job(folder, announcement.job);
  } else {
    bertprep::announce_shards(folder, announcement.dataset, {announcement.shards.begin(), announcement.shards.end()});
  }
  for (const bertprep::Announcement& one : bertprep::announcements(folder.state_folder())) {
    require(one.job == announcement.job && one.dataset == announcement.dataset);
  }
}

void check_announcement(const std::string& bytes, const std::string& name) {
  static const bertprep::test::TempFolder temp;
  static const bertprep::OutputFolder folder(temp / "shards");
  const fs::path file = temp.write(".shards.bertprep/" + name, bytes);
  bertprep::find_gaps(folder.path());
  try {
    const auto all = bertprep::announcements(folder.state_folder());
    require(all.size() == 1 && all.front().file == file);
    announce_again(folder, all.front());
  } catch (const bertprep::FormatError&) {
    // Refused.
  }
  for (const auto& entry : fs::directory_iterator(folder.state_folder())) {
    if (entry.is_regular_file()) fs::remove(entry.path());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  check_announcement(bytes, "array-" + bertprep::sha256_of(bytes).substr(0, 12) + ".json");
  check_announcement(bytes, "array-000000000000.json");
  return 0;
}
