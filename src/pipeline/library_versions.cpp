#include "pipeline/library_versions.h"

#include "fetch/http_client.h"
#include "io/digest.h"
#include "io/json.h"
#include "pipeline/work/workers.h"
#include "shard/deflate/inflate.h"
#include "shard/hdf5/hdf5_call.h"
#include "stream/archive_handle.h"
#include "stream/bzip2_block.h"
#include "stream/gzip_codec.h"
#include "stream/zstd_codec.h"
#include "unicode/properties/properties.h"

namespace bertprep {

std::vector<LibraryVersion> library_versions() {
  return {version_of_hdf5(),       unicode::version_of_icu(), version_of_simdjson(), version_of_tbb(),
          version_of_zstd(),       version_of_curl(),         version_of_bzip2(),    version_of_zlib(),
          version_of_libdeflate(), version_of_archive(),      version_of_openssl()};
}

}  // namespace bertprep
