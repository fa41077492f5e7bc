// Arbitrary bytes as a completion record and as a journal of records, with and without a valid seal: unreadable ones
// count as absent, others stay the same when written again; readers of the folder must cope with it.
#include <cstdint>
#include <string>

#include "fuzz/fuzz_targets.h"
#include "io/input_file.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/output_folder.h"
#include "shard/folder_gaps.h"
#include "support/sealed_bytes.h"
#include "support/temp_folder.h"

namespace {

std::string written_again(const bertprep::OutputFolder& folder, const bertprep::CompletionRecord& record) {
  folder.write_record("again", record);
  const std::filesystem::path file = folder.state_folder() / "records" / "again.json";
  std::string bytes = bertprep::read_file(file);
  std::filesystem::remove(file);
  return bytes;
}

void check_record(const std::string& bytes) {
  static const bertprep::test::TempFolder temp;
  static const bertprep::OutputFolder folder(temp / "shards");
  const std::string in_state = ".shards.bertprep/records/";
  temp.write(in_state + "task.json", bytes);
  bertprep::sum_shard_records(folder.path(), folder.state_folder(), {});
  bertprep::find_gaps(folder.path());
  const auto record = folder.record("task");
  if (!record) return;
  require(!folder.finished("task", record->key) || record->outputs.empty());
  const std::string once = written_again(folder, *record);
  temp.write(in_state + "task.json", once);
  const auto second = folder.record("task");
  require(second && written_again(folder, *second) == once);
}

void check_journal(const std::string& bytes) {
  static const bertprep::test::TempFolder temp;
  std::filesystem::create_directories(temp / "shards");
  temp.write(".shards.bertprep/records/1.journal", bytes);
  const bertprep::OutputFolder folder = bertprep::OutputFolder::make_shared(temp / "shards");
  bertprep::sum_shard_records(folder.path(), folder.state_folder(), {});
  bertprep::find_gaps(folder.path());
  for (const std::string& task : folder.recorded_tasks()) folder.record(task);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  check_record(bytes);
  check_record(bertprep::test::sealed_anew(bytes));
  check_journal(bytes);
  return 0;
}
