// The files of a dataset that is a folder on servers, as its listing names them.
#pragma once

#include <vector>

#include "fetch/catalogue.h"
#include "fetch/fetch_job.h"

namespace bertprep {

// In the order of their names, with the MD5 of NAME.md5 where there is one. What was found first counts until the
// hidden folder is removed, so that a broken download goes on with the same files. Throws IoError when no server lists
// any.
std::vector<CatalogueFile> listed_files(const FetchJob& job, const CatalogueListing& listing, const Place& place);

// Those of the user's files that the listing would have. Throws IoError when there are none.
std::vector<std::filesystem::path> files_as_listed(const CatalogueListing& listing,
                                                   const std::filesystem::path& folder);

}  // namespace bertprep
