#include "bertprep/fetch/fetch.h"

#include <algorithm>
#include <array>

#include "base/fields.h"
#include "base/nearest_name.h"
#include "base/number_text.h"
#include "fetch/dataset_files.h"
#include "fetch/mirror_ring.h"
#include "fetch/pages.h"

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
  std::vector<std::string> names = {"wikicorpus_en"};
  std::string list;
  for (const CatalogueEntry& entry : catalogue.datasets) {
    names.push_back(entry.name);
    names.insert(names.end(), entry.aliases.begin(), entry.aliases.end());
    list += entry.name + ", ";
  }
  throw ConfigError("there is no dataset '" + name + "'" + suggestion_text(name, names), {},
                    "the known datasets are " + list + "wikicorpus_LANG, cirrus_LANG");
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
  if (entry == nullptr) {
    const bool is_cirrus = !cirrus_language_of(name).empty();
    if (!is_cirrus && language_of(name).empty()) throw_unknown(name, job.catalogue);
    dataset.name = name;
    dataset.parts.push_back(is_cirrus ? fetch_cirrus(job, name, folder, from_file)
                                      : fetch_wiki(job, name, folder, from_file));
    return;
  }
  if (entry->parts.empty()) {
    dataset.parts.push_back(fetch_entry(job, *entry, folder, from_file));
  }
  if (!entry->parts.empty() && !from_file.empty() && !fs::is_directory(from_file)) {
    throw ConfigError(entry->name + " has " + counted(entry->parts.size(), "part"), from_file,
                      "give `from_file` a folder that has a folder for each, by name");
  }
  for (const std::string& part : entry->parts) {
    if (part == entry->name) throw FormatError("the dataset '" + part + "' contains itself", "catalogue");
    add_parts(job, part, folder, of_part(from_file, part), dataset);
  }
  dataset.name = entry->name;
}

DatasetFacts facts_of(const CatalogueEntry& entry) {
  DatasetFacts facts{entry.name, entry.title, entry.licence, 0, entry.text_bytes, entry.articles};
  for (const CatalogueFile& file : entry.files) {
    if (file.facts.size_bytes == 0) {
      facts.download_bytes = 0;
      break;
    }
    facts.download_bytes += file.facts.size_bytes;
  }
  return facts;
}

// From the first mirror that says; 0 if none does.
std::uint64_t ask_size(const FetchJob& job, const CatalogueFile& file, Pages& pages) {
  if (file.facts.size_bytes != 0) return file.facts.size_bytes;
  for (const Mirror& mirror : mirrors_of(file, job.options)) {
    const auto size = pages.size_of(mirror.url);
    if (size && *size != 0) return *size;
  }
  return 0;
}

DatasetFacts facts_of_cirrus(const std::string& name, const Catalogue& catalogue) {
  return {
      name, "Wikipedia in the language LANG, its pages as text, from the search index", catalogue.dumps.licence, 0, 0,
      0};
}

// With its markup and links, the index of 98 English articles is 1.6 times as large as their dump, compressed.
constexpr double kTextOfAnIndex = 1 / 1.6;

DatasetFacts describe_cirrus(const FetchJob& job, const std::string& name) {
  DatasetFacts facts = facts_of_cirrus(name, job.catalogue);
  const auto files = ask_listing(job, cirrus_listing(job, name, {}));
  if (std::ranges::any_of(files, [](const CatalogueFile& file) { return file.facts.size_bytes == 0; })) return facts;
  for (const CatalogueFile& file : files) facts.download_bytes += file.facts.size_bytes;
  facts.text_bytes = static_cast<std::uint64_t>(kTextOfAnIndex * static_cast<double>(facts.download_bytes));
  return facts;
}

DatasetFacts describe_wiki(const FetchJob& job, const std::string& name) {
  const Dump dump = wiki_dump(job, name, {});
  Pages pages(job.options, job.policy, job.progress);
  DatasetFacts facts{name, job.catalogue.dumps.title + ": the dump of " + dump.date, job.catalogue.dumps.licence, 0, 0,
                     0};
  std::uint64_t articles_bytes = 0;
  for (const CatalogueFile& file : dump.files.articles) articles_bytes += ask_size(job, file, pages);
  facts.download_bytes = articles_bytes;
  for (const CatalogueFile& file : dump.files.indexes) facts.download_bytes += ask_size(job, file, pages);
  // Compressed markup and the text in it have about the same size: 16.99 and 17.07 GiB for English in May 2020.
  facts.text_bytes = articles_bytes;
  return facts;
}

}  // namespace

std::vector<DatasetFacts> known_datasets(const FetchOptions& options) {
  std::vector<DatasetFacts> all;
  const Catalogue catalogue = load_catalogue(options);
  for (const CatalogueEntry& entry : catalogue.datasets) {
    if (catalogue.find(entry.name) == &entry) all.push_back(facts_of(entry));
  }
  all.push_back({"wikicorpus_LANG", catalogue.dumps.title, catalogue.dumps.licence, 0, 0, 0});
  all.push_back(facts_of_cirrus("cirrus_LANG", catalogue));
  for (const CatalogueInputs& inputs : catalogue.inputs) {
    all.push_back({inputs.name + ":" + inputs.example, inputs.title, inputs.licence, 0, 0, 0});
  }
  return all;
}

DatasetFacts describe_dataset(const std::string& name, const FetchOptions& options, Progress& progress) {
  const FetchJob job(options, progress, subject_of(name, {}, options));
  const CatalogueEntry* entry = job.catalogue.find(name);
  if (entry == nullptr) {
    if (!cirrus_language_of(name).empty()) return describe_cirrus(job, name);
    if (language_of(name).empty()) throw_unknown(name, job.catalogue);
    return describe_wiki(job, name);
  }
  DatasetFacts facts = facts_of(*entry);
  if (facts.download_bytes == 0 && entry->parts.empty()) {
    Pages pages(options, job.policy, progress);
    for (const CatalogueFile& file : entry->files) {
      const std::uint64_t size = ask_size(job, file, pages);
      if (size == 0) {
        facts.download_bytes = 0;
        break;
      }
      facts.download_bytes += size;
    }
  }
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

OptionGroup group_of(const FetchOptions* /*options*/) {
  return OptionGroup::kDownload;
}

std::span<const Field<FetchOptions>> fields_of(const FetchOptions* /*options*/) {
  static const std::array<Field<FetchOptions>, 10> kFields{{
      {.name = "catalog",
       .member = &FetchOptions::catalog,
       .unit = "files",
       .help = "more catalogue files, separated by commas; their entries take precedence",
       .in_recipe = false},
      {.name = "mirror",
       .member = &FetchOptions::mirror,
       .unit = "urls",
       .help = "base URLs to try first, separated by commas",
       .in_recipe = false},
      {.name = "from-file",
       .member = &FetchOptions::from_file,
       .unit = "path",
       .help = "a file or folder to use instead of a download",
       .in_recipe = false},
      {.name = "dump-date",
       .member = &FetchOptions::dump_date,
       .unit = "date",
       .help = "date of the dump for wikicorpus_LANG or cirrus_LANG, such as 20260701, or latest",
       .in_recipe = false},
      {.name = "contact",
       .member = &FetchOptions::contact,
       .unit = "address",
       .help = "your email address or URL, sent to servers in the User-Agent",
       .in_recipe = false},
      {.name = "retries",
       .member = &FetchOptions::retries,
       .unit = "tries",
       .help = "number of retries for each mirror",
       .min = 0,
       .in_recipe = false},
      {.name = "stall-seconds",
       .member = &FetchOptions::stall_seconds,
       .unit = "seconds",
       .help = "give up an attempt after this long without data",
       .min = 1,
       .in_recipe = false},
      {.name = "connections",
       .member = &FetchOptions::connections,
       .unit = "connections",
       .help = "simultaneous connections to one host",
       .min = 1,
       .max = 3,
       .in_recipe = false},
      {.name = "verify-certificates",
       .member = &FetchOptions::verify_certificates,
       .unit = "",
       .help = "verify the certificates of servers",
       .in_recipe = false},
      {.name = "offline",
       .member = &FetchOptions::offline,
       .unit = "",
       .help = "use no network: report what is missing and how to get it",
       .in_recipe = false},
  }};
  return kFields;
}

}  // namespace bertprep
