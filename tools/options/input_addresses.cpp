#include "options/input_addresses.h"

#include <algorithm>

#include "io/process.h"
#include "pipeline/ignored_options.h"

namespace bertprep::cli {

namespace fs = std::filesystem;

fs::path download_folder() {
  const std::string work = environment_variable("BERT_PREP_WORKING_DIR");
  return fs::path(work.empty() ? "bertprep-work" : work) / "download";
}

void add_address_options(CLI::App& app, OptionTable& options, FetchOptions& fetch) {
  options.add(app, fetch, {"contact", "retries", "stall-seconds", "connections", "verify-certificates", "offline"});
}

void fetch_addresses(std::vector<fs::path>& inputs, const FetchOptions& fetch, std::span<const GivenOption> given,
                     Progress& progress) {
  if (std::ranges::none_of(inputs, is_address)) return refuse_download_options(given);
  check(fetch);
  inputs = fetch_inputs(inputs, download_folder(), fetch, progress).files;
}

}  // namespace bertprep::cli
