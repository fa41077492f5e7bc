// Arbitrary bytes as the record of a saved sentence index, and after a zero byte as the index: it counts as absent, or
// is the one in its record. The record is read with and without a valid seal.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "pipeline/records/saved_index.h"
#include "pipeline/text_shards/sentence_index.h"
#include "support/sealed_bytes.h"
#include "support/temp_folder.h"

namespace {

constexpr std::size_t kDigits = 64;

void check_index(const std::string& record, const std::string& index) {
  static const bertprep::test::TempFolder temp;
  static const bertprep::OutputFolder folder(temp / "formatted");
  static const auto splitter = bertprep::make_sentence_splitter({.rules = bertprep::SentenceRules::kLines});
  temp.write(".formatted.bertprep/text.sentences", index);
  temp.write(".formatted.bertprep/records/text.sentences.json", record);
  const bertprep::SavedIndex saved(folder, "text", *splitter, false);
  try {
    const auto found = saved.find(std::string(kDigits, '0'));
    if (!found) return;
    if (record.find(bertprep::sha256_of(index)) == std::string::npos) std::abort();
    bertprep::sizes_of_index(*found);
  } catch (const bertprep::FormatError&) {
    // A refused record or index.
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(bytes.find('\0'), bytes.size());
  const std::string index = bytes.substr(std::min(end + 1, bytes.size()));
  check_index(bytes.substr(0, end), index);
  check_index(bertprep::test::sealed_anew(std::string_view(bytes).substr(0, end)), index);
  return 0;
}
