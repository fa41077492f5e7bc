// Arbitrary bytes as run.json, places.json and progress.json: readable ones stay the same when written again, and
// status and verify cope with a folder that has them.
#include <cmath>
#include <cstdint>
#include <string>

#include "bertprep/base/error.h"
#include "fuzz/fuzz_targets.h"
#include "pipeline/records/run_description.h"
#include "pipeline/status/status.h"
#include "pipeline/work/progress_report.h"
#include "shard/folder_gaps.h"
#include "support/sealed_bytes.h"
#include "support/temp_folder.h"

namespace {

template <class Document>
bool reads_what_it_writes(const std::string& bytes) {
  Document document;
  try {
    document = Document::from_json(bertprep::Json::parse(bytes, Document::kFileName));
  } catch (const bertprep::FormatError&) {
    return false;
  }
  const std::string once = document.to_json().dump();
  require(Document::from_json(bertprep::Json::parse(once, "again")).to_json().dump() == once);
  return true;
}

void check_status(const std::filesystem::path& root) {
  for (const bertprep::DatasetStatus& dataset : bertprep::status_of(root, root / "work")) {
    for (const bertprep::StageStatus& stage : dataset.stages) require(stage.fraction >= 0 && stage.fraction <= 1);
    require(dataset.share.fraction >= 0 && dataset.share.fraction <= 1);
    const double seconds_left = dataset.share.seconds_left.value_or(0);
    require(std::isfinite(seconds_left) && seconds_left >= 0);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bertprep::test::TempFolder temp;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const bool is_run = reads_what_it_writes<bertprep::RunDescription>(bytes);
  reads_what_it_writes<bertprep::RunPlaces>(bytes);
  const bool is_report = reads_what_it_writes<bertprep::ProgressReport>(bytes);
  const char* run =
      "{\"format\": \"bertprep-run\", \"version\": 1, \"dataset\": \"s\", \"formatted\": \"f/s.txt\", "
      "\"text-shards\": \"t/s\", \"train-shards\": 2, \"test-shards\": 1, "
      "\"phases\": [{\"folder\": \"h/s\", \"recipe\": {\"seq-len\": 128}}]}";
  temp.write("h/s/s_training_0.hdf5", "");
  temp.write("h/.s.bertprep/run.json", bertprep::test::sealed_anew(is_report && !is_run ? run : bytes));
  temp.write("h/.s.bertprep/progress.json", bytes);
  temp.write("h/.s.bertprep/places.json", bertprep::test::sealed_anew(bytes));
  bertprep::find_gaps(temp / "h/s");
  check_status(temp.path());
  return 0;
}
