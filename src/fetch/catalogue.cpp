#include "fetch/catalogue.h"

#include <algorithm>

#include "fetch/catalogue_data.h"
#include "fetch/catalogue_reader.h"
#include "io/input_file.h"

namespace bertprep {

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
