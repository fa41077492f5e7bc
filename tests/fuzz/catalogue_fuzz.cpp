// Arbitrary bytes as a user's catalogue: refused, or datasets of finitely many parts, with files whose names stay in
// their folder.
#include <cstdint>
#include <string>

#include "bertprep/base/error.h"
#include "fetch/catalogue.h"
#include "fuzz/fuzz_targets.h"
#include "support/temp_folder.h"

namespace {

constexpr int kMaxLevels = 20;

void require_plain(const std::string& name) {
  require(!name.empty() && name != ".." && name.find('/') == std::string::npos);
}

void check_entry(const bertprep::Catalogue& catalogue, const bertprep::CatalogueEntry& entry, int level) {
  const int kinds = !entry.files.empty() + !entry.parts.empty() + !entry.listing.names.empty();
  require(level < kMaxLevels && kinds == 1);
  require_plain(entry.name);
  for (const bertprep::CatalogueFile& file : entry.files) {
    require_plain(file.name);
    require(!file.mirrors.empty());
  }
  // Follows one path: all of them may be arbitrarily many.
  if (entry.parts.empty()) return;
  if (const auto* part = catalogue.find(entry.parts.back())) check_entry(catalogue, *part, level + 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bertprep::test::TempFolder temp;
  bertprep::FetchOptions options;
  options.catalog = temp.write("catalogue.json", std::string(reinterpret_cast<const char*>(data), size));
  bertprep::Catalogue catalogue;
  try {
    catalogue = bertprep::load_catalogue(options);
  } catch (const bertprep::FormatError&) {
    return 0;
  }
  for (const bertprep::CatalogueEntry& entry : catalogue.datasets) check_entry(catalogue, entry, 0);
  for (const bertprep::CatalogueEntry& vocab : catalogue.vocabs) require_plain(vocab.files.front().name);
  return 0;
}
