#include "pipeline/records/text_sources.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "file";
constexpr const char* kArticles = "articles";

}  // namespace

std::string article_places_name(const std::string& dataset) {
  return dataset + ".articles";
}

Json json_of(std::span<const TextSource> sources, const fs::path& text_shards) {
  const fs::path folder = fs::absolute(text_shards).lexically_normal();
  Json list = Json::array();
  for (const TextSource& source : sources) {
    const fs::path file = fs::absolute(source.file).lexically_normal().lexically_proximate(folder);
    list.push(Json::object().add(kFile, Json::string(file.string())).add(kArticles, Json::number(source.articles)));
  }
  return list;
}

std::vector<TextSource> text_sources_in(const Json& counts, const fs::path& text_shards) {
  std::vector<TextSource> sources;
  const Json* list = counts.find(kTextSources);
  if (list == nullptr) return sources;
  for (const Json& source : list->items()) {
    sources.push_back({(text_shards / source.at(kFile).text()).lexically_normal(), source.at(kArticles).as_unsigned()});
  }
  return sources;
}

}  // namespace bertprep
