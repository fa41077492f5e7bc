#include "fetch/mirror_urls.h"

#include <algorithm>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr std::string_view kScheme = "://";

std::size_t begin_of_host(const std::string& url) {
  const std::size_t scheme = url.find(kScheme);
  return scheme == std::string::npos ? 0 : scheme + kScheme.size();
}

void add(std::vector<Mirror>& mirrors, Mirror mirror) {
  const auto same = [&](const Mirror& other) { return other.url == mirror.url && other.member == mirror.member; };
  if (std::ranges::none_of(mirrors, same)) mirrors.push_back(std::move(mirror));
}

}  // namespace

bool may_ask(const std::string& url, const FetchOptions& options) {
  return !options.offline || url.starts_with("file://");
}

std::string host_of(const std::string& url) {
  const std::size_t begin = begin_of_host(url);
  return url.substr(begin, url.find('/', begin) - begin);
}

std::string path_of(const std::string& url) {
  const std::size_t slash = url.find('/', begin_of_host(url));
  if (slash == std::string::npos) return "/";
  return url.substr(slash, url.find_first_of("?#", slash) - slash);
}

std::vector<std::string> mirror_bases(const FetchOptions& options) {
  std::vector<std::string> bases = split_list(options.mirror);
  for (std::string& base : bases) {
    if (!base.starts_with("http://") && !base.starts_with("https://") && !base.starts_with("file://")) {
      throw ConfigError("--mirror: '" + base + "' is no URL", {}, "begin it with http://, https:// or file://");
    }
    while (base.ends_with('/')) base.pop_back();
  }
  return bases;
}

std::vector<Mirror> mirrors_of(const CatalogueFile& file, const FetchOptions& options) {
  std::vector<Mirror> mirrors;
  for (const std::string& base : mirror_bases(options)) {
    for (const Mirror& known : file.mirrors) {
      add(mirrors, {base + path_of(known.url), known.member});
      add(mirrors, {base + "/" + host_of(known.url) + path_of(known.url), known.member});
    }
    add(mirrors, {base + "/" + file.name});
  }
  for (const Mirror& known : file.mirrors) add(mirrors, known);
  std::erase_if(mirrors, [&](const Mirror& mirror) { return !may_ask(mirror.url, options); });
  return mirrors;
}

}  // namespace bertprep
