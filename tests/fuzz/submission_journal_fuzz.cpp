// Arbitrary bytes as submitted.json: refused and unchanged, or entries that stay, followed by a new one.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "batch/submission.h"
#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "io/json.h"
#include "support/temp_folder.h"

namespace {

std::vector<bertprep::Json> entries_of(const std::string& bytes) {
  return bertprep::Json::parse(bytes, "submitted.json").at("submissions").items();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bertprep::test::TempFolder temp;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::filesystem::path file = temp.write("submitted.json", bytes);
  try {
    bertprep::SubmissionJournal journal(temp.path(), "slurm", 3);
    journal.add("format", "17");
  } catch (const bertprep::FormatError&) {
    if (bertprep::read_file(file) != bytes) std::abort();
    return 0;
  }
  const auto before = entries_of(bytes);
  auto after = entries_of(bertprep::read_file(file));
  if (after.size() != before.size() + 1 || after.back().at("engine").text() != "slurm") std::abort();
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (after[i].dump_line() != before[i].dump_line()) std::abort();
  }
  return 0;
}
