// Addresses among the inputs of a command that has no work folder.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "base/fields.h"
#include "bertprep/fetch/fetch.h"
#include "options/option_table.h"

namespace bertprep::cli {

// $BERT_PREP_WORKING_DIR/download, else bertprep-work/download.
std::filesystem::path download_folder();

void add_address_options(CLI::App& app, OptionTable& options, FetchOptions& fetch);

// Replaces addresses by what is fetched for them. Throws ConfigError for download options without an address.
void fetch_addresses(std::vector<std::filesystem::path>& inputs, const FetchOptions& fetch,
                     std::span<const GivenOption> given, Progress& progress);

}  // namespace bertprep::cli
