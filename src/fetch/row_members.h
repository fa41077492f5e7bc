// Members of an archive made from Parquet files whose rows are their lines, where no source has the archive.
#pragma once

#include "fetch/catalogue.h"
#include "fetch/fetch_job.h"

namespace bertprep {

// Whether all members can be made so.
bool have_rows(const CatalogueFile& archive);

// The members, as unpack() would leave them. A row that is empty stands for a line of one blank, as in the Hub's
// WikiText. Throws FormatError (the text is not the member, by its digest) and as download_all.
void make_members_of_rows(const FetchJob& job, const Place& place, const CatalogueFile& archive);

}  // namespace bertprep
