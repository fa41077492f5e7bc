// The URLs at which a file is looked for, in this order.
#pragma once

#include <string>
#include <vector>

#include "bertprep/fetch/fetch.h"
#include "fetch/catalogue.h"

namespace bertprep {

// First at each --mirror BASE, for every URL https://HOST/PATH of the catalogue: BASE/PATH and BASE/HOST/PATH, and then
// BASE/NAME; after them the URLs of the catalogue. No URL twice, and with --offline none that needs a network.
std::vector<Mirror> mirrors_of(const CatalogueFile& file, const FetchOptions& options);

// The --mirror bases without a slash at the end. Throws ConfigError for what is no http, https or file URL.
std::vector<std::string> mirror_bases(const FetchOptions& options);

// Whether --offline allows it.
bool may_ask(const std::string& url, const FetchOptions& options);

std::string host_of(const std::string& url);  // with its port
std::string path_of(const std::string& url);  // "/a/b.zip", without query

}  // namespace bertprep
