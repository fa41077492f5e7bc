#include "bertprep/fetch/fetch.h"

#include "base/fields.h"
#include "base/nearest_name.h"
#include "fetch/dataset_files.h"
#include "fetch/pages.h"
#include "fetch/wikimedia.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void throw_unknown(const std::string& name, const Catalogue& catalogue) {
  if (fs::exists(name)) {
    throw ConfigError("'" + name + "' is a " + (fs::is_directory(name) ? "folder" : "file") + ", not a dataset", {},
                      "give it with `input` " + name);
  }
  if (is_input_name(name))
    throw ConfigError("'" + name + "' is an input, not a dataset", {}, "give it with `input` " + name);
  std::vector<std::string> names = names_of(catalogue.datasets);
  names.insert(names.begin(), "wikicorpus_en");
  throw ConfigError("there is no dataset '" + name + "'" + suggestion_text(name, names), {},
                    "the known datasets are " + joined(catalogue.datasets, ", ", &CatalogueEntry::name) +
                        ", wikicorpus_LANG, cirrus_LANG");
}

FetchSubject subject_of(const std::string& name, const fs::path& folder, const FetchOptions& options) {
  std::string command = "bertprep fetch " + name;
  if (options.dump_date != FetchOptions().dump_date) command += " --dump-date " + options.dump_date;
  if (!options.from_file.empty()) command += " --from-file " + path_word(options.from_file);
  if (!folder.empty()) command += " --folder " + path_word(folder);
  return {"the dataset " + name, command, "`from_file` PATH"};
}

// The user's files of one part of a dataset: in a folder of that name, if it exists.
fs::path of_part(const fs::path& from_file, const std::string& part) {
  return !from_file.empty() && fs::exists(from_file / part) ? from_file / part : from_file;
}

void add_parts(const FetchJob& job, const std::string& name, const fs::path& folder, const fs::path& from_file,
               FetchedDataset& dataset) {
  const CatalogueEntry* entry = job.catalogue.find(name);
  if (entry == nullptr && !is_of_wikimedia(name)) throw_unknown(name, job.catalogue);
  if (entry == nullptr) {
    dataset.parts.push_back(fetch_wikimedia(job, name, folder, from_file));
  } else if (entry->parts.empty()) {
    dataset.parts.push_back(fetch_entry(job, *entry, folder, from_file));
  } else if (!from_file.empty() && !fs::is_directory(from_file)) {
    throw ConfigError(entry->name + " has " + counted(entry->parts.size(), "part"), from_file,
                      "give `from_file` a folder that has a folder for each, by name");
  } else {
    for (const std::string& part : entry->parts) add_parts(job, part, folder, of_part(from_file, part), dataset);
  }
  dataset.name = entry == nullptr ? name : entry->name;
}

// `size_of` a file: 0 if unknown, and then nothing is known of all.
template <class SizeOf>
DatasetFacts facts_of(const CatalogueEntry& entry, const SizeOf& size_of) {
  DatasetFacts facts{entry.name, entry.title, entry.licence, 0, entry.text_bytes, entry.articles};
  for (const CatalogueFile& file : entry.files) {
    const std::uint64_t size = size_of(file);
    if (size == 0) {
      facts.download_bytes = 0;
      break;
    }
    facts.download_bytes += size;
  }
  return facts;
}

}  // namespace

void check(const FetchOptions& options) {
  validate(options);
  mirror_bases(options);
}

std::vector<DatasetFacts> known_datasets(const FetchOptions& options) {
  std::vector<DatasetFacts> all;
  const Catalogue catalogue = load_catalogue(options);
  const auto known_size = [](const CatalogueFile& file) { return file.facts.size_bytes; };
  for (const CatalogueEntry& entry : catalogue.datasets) {
    if (catalogue.find(entry.name) == &entry) all.push_back(facts_of(entry, known_size));
  }
  for (DatasetFacts& facts : known_of_wikimedia(catalogue.dumps)) all.push_back(std::move(facts));
  for (const CatalogueInputs& inputs : catalogue.inputs) {
    all.push_back({inputs.name + ":" + inputs.example, inputs.title, inputs.licence});
  }
  return all;
}

DatasetFacts describe_dataset(const std::string& name, const FetchOptions& options, Progress& progress) {
  const FetchJob job(options, progress, subject_of(name, {}, options));
  const CatalogueEntry* entry = job.catalogue.find(name);
  if (entry == nullptr && !is_of_wikimedia(name)) throw_unknown(name, job.catalogue);
  if (entry == nullptr) return describe_wikimedia(job, name);
  Pages pages(options, job.policy, progress);
  DatasetFacts facts = facts_of(*entry, [&](const CatalogueFile& file) { return ask_size(job, file, pages); });
  for (const std::string& part : entry->parts) {
    const DatasetFacts one = describe_dataset(part, options, progress);
    facts.download_bytes += one.download_bytes;
    facts.text_bytes += one.text_bytes;
    facts.articles += one.articles;
  }
  return facts;
}

FetchedDataset fetch_dataset(const std::string& name, const fs::path& folder, const FetchOptions& options,
                             Progress& progress) {
  const FetchJob job(options, progress, subject_of(name, folder, options));
  FetchedDataset dataset;
  add_parts(job, name, folder, options.from_file, dataset);
  return dataset;
}

FieldList<FetchOptions> fields_of(const FetchOptions* /*options*/) {
  using Options = FetchOptions;
  static const Field<Options> kFields[] = {
      {"catalog", &Options::catalog, "files",
       "more catalogue files, separated by commas; their entries take precedence"},
      {"mirror", &Options::mirror, "urls", "base URLs to try first, separated by commas"},
      {"from-file", &Options::from_file, "path", "a file or folder to use instead of a download"},
      {"dump-date", &Options::dump_date, "date",
       "date of the dump for wikicorpus_LANG or cirrus_LANG, such as 20260701, or latest"},
      {"contact", &Options::contact, "address", "your email address or URL, sent to servers in the User-Agent"},
      {"retries", &Options::retries, "tries", "number of retries for each mirror", 0},
      {"stall-seconds", &Options::stall_seconds, "seconds", "give up an attempt after this long without data", 1},
      {"connections", &Options::connections, "connections", "simultaneous connections to one host", 1, 3},
      {"verify-certificates", &Options::verify_certificates, "", "verify the certificates of servers"},
      {"offline", &Options::offline, "", "use no network: report what is missing and how to get it"},
  };
  return {kFields, OptionGroup::kDownload};
}

}  // namespace bertprep
