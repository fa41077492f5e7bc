#include "fetch/catalogue.h"

#include <algorithm>
#include <map>

#include "bertprep/base/error.h"
#include "fetch/catalogue_data.h"
#include "fetch/catalogue_reader.h"
#include "io/input_file.h"

namespace bertprep {
namespace {

// Datasets consist of others, which may do so too: following them must come to an end.
class PartLevels {
 public:
  PartLevels(const Catalogue& catalogue, const std::string& where) : catalogue_(catalogue), where_(where) {}

  void require_end() {
    for (const CatalogueEntry& entry : catalogue_.datasets) levels_below(entry, 0);
  }

 private:
  static constexpr std::size_t kMostLevels = 16;

  std::size_t levels_below(const CatalogueEntry& entry, std::size_t above) {
    const auto known = known_.find(&entry);
    std::size_t levels = known == known_.end() ? 0 : known->second;
    if (above + levels > kMostLevels) {
      throw FormatError("'" + entry.name + "' has parts that have parts, and so on, or is a part of itself", where_,
                        "name the datasets that hold the files");
    }
    if (known != known_.end()) return levels;
    for (const std::string& part : entry.parts) {
      if (const CatalogueEntry* next = catalogue_.find(part))
        levels = std::max(levels, 1 + levels_below(*next, above + 1));
    }
    return known_[&entry] = levels;
  }

  const Catalogue& catalogue_;
  const std::string& where_;
  std::map<const CatalogueEntry*, std::size_t> known_;
};

}  // namespace

const CatalogueEntry* Catalogue::find(const std::string& name) const {
  for (const CatalogueEntry& entry : datasets) {
    if (entry.name == name || std::ranges::count(entry.aliases, name) != 0) return &entry;
  }
  return nullptr;
}

const CatalogueVocab* Catalogue::find_vocab(const std::string& name) const {
  for (const CatalogueVocab& vocab : vocabs) {
    if (vocab.name == name || std::ranges::count(vocab.aliases, name) != 0) return &vocab;
  }
  return nullptr;
}

Catalogue load_catalogue(const FetchOptions& options) {
  Catalogue catalogue;
  for (const std::string& file : split_list(options.catalog)) {
    add_to_catalogue(Json::parse(read_file(file), file), file, catalogue);
  }
  add_to_catalogue(Json::parse(kDatasetCatalogueJson, "datasets/catalogue.json"), "datasets/catalogue.json", catalogue);
  add_to_catalogue(Json::parse(kVocabCatalogueOfFetchJson, "vocab/catalogue.json"), "vocab/catalogue.json", catalogue);
  PartLevels(catalogue, options.catalog).require_end();
  return catalogue;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> items;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) items.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return items;
}

}  // namespace bertprep
