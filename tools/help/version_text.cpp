#include "help/version_text.h"

#include <CLI/CLI.hpp>

#include "bertprep/version.h"
#include "fetch/http_client.h"
#include "io/digest.h"
#include "io/json.h"
#include "pipeline/work/workers.h"
#include "shard/deflate/inflate.h"
#include "shard/hdf5/hdf5_call.h"
#include "stream/archive.h"
#include "stream/bzip2_block.h"
#include "stream/decoded_stream.h"
#include "stream/zstd_codec.h"
#include "unicode/properties/properties.h"

namespace bertprep::cli {
namespace {

constexpr std::size_t kNameWidth = 12;

std::string named(const std::string& library) {
  return library + std::string(kNameWidth - library.size(), ' ');
}

std::string line_of(const LibraryVersion& library) {
  if (library.running.empty()) return named(library.name) + library.compiled + " (built with; loaded when needed)";
  const bool differs = !library.compiled.empty() && library.compiled != library.running;
  return named(library.name) + library.running + (differs ? " (built with " + library.compiled + ")" : "");
}

}  // namespace

std::vector<LibraryVersion> library_versions(VersionOf wanted) {
  return {version_of_hdf5(wanted), unicode::version_of_icu(),  version_of_simdjson(), version_of_tbb(),
          version_of_zstd(),       version_of_curl(wanted),    version_of_bzip2(),    version_of_zlib(),
          version_of_libdeflate(), version_of_archive(wanted), version_of_nettle()};
}

std::string version_text(const std::string& program, bool as_json, std::vector<LibraryVersion> libraries) {
  libraries.push_back({"CLI11", CLI11_VERSION, CLI11_VERSION});
  std::string text = program + " " + kVersion;
  if (as_json) text = JsonEvent("version").text("program", program).text("version", kVersion).line();
  for (const LibraryVersion& library : libraries) {
    text += "\n";
    text += !as_json ? line_of(library)
                     : JsonEvent("library")
                           .text("name", library.name)
                           .text("built_with", library.compiled)
                           .text("running", library.running)
                           .line();
  }
  return text;
}

}  // namespace bertprep::cli
