// Arbitrary bytes as manifest.json, with and without a valid seal: refused, or a manifest that stays the same when
// written again.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "bertprep/base/error.h"
#include "bertprep/shard/manifest.h"
#include "shard/folder_gaps.h"
#include "support/sealed_bytes.h"
#include "support/temp_folder.h"

namespace {

void check_manifest(const std::string& bytes) {
  static const bertprep::test::TempFolder temp;
  const std::filesystem::path file = temp.write(bertprep::Manifest::kFileName, bytes);
  bertprep::Manifest manifest;
  try {
    manifest = bertprep::Manifest::load(file);
  } catch (const bertprep::FormatError&) {
    return;
  }
  bertprep::find_gaps(temp.path());
  const std::string once = manifest.to_json();
  temp.write(bertprep::Manifest::kFileName, once);
  if (bertprep::Manifest::load(file).to_json() != once) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  check_manifest(bytes);
  check_manifest(bertprep::test::sealed_anew(bytes));
  return 0;
}
