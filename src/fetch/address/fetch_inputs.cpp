// fetch_inputs: each address -> a folder of its own with the files that it stands for.
#include <algorithm>

#include "base/number_text.h"
#include "fetch/address/address.h"
#include "fetch/fetched_record.h"
#include "fetch/pages.h"
#include "io/digest.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "io/json.h"
#include "io/pending_file.h"
#include "io/process.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kListing = "listing.json";
constexpr std::size_t kLongestName = 60;
constexpr std::size_t kDigits = 8;

// "train-1a2b3c4d": of each address another one, however the server calls its files.
std::string folder_name(const std::string& given, const Address& address) {
  std::string plain = address.kind == AddressKind::kWeb ? address.path : address.plain_path();
  while (plain.ends_with('/')) plain.pop_back();
  if (plain.empty()) plain = address.place;
  std::string name;
  for (const char c : plain.substr(plain.rfind('/') + 1)) {
    const bool is_plain = is_ascii_alphanumeric(c) || c == '-' || c == '_' || (c == '.' && !name.empty());
    name += is_plain ? c : '_';
  }
  return name.substr(0, kLongestName) + "-" + digest_of(DigestKind::kSha256, given).substr(0, kDigits);
}

FetchOptions options_for(const FetchOptions& given, const Address& address) {
  FetchOptions options = given;
  options.from_file.clear();
  const std::string offline = ascii_lower(environment_variable("HF_HUB_OFFLINE"));
  const bool is_switched_on = offline == "1" || offline == "on" || offline == "yes" || offline == "true";
  if (address.kind == AddressKind::kHub && is_switched_on) options.offline = true;
  return options;
}

FetchSubject subject_of(const Address& address, const fs::path& folder) {
  std::string command = "bertprep fetch " + path_word(address.text);
  if (!folder.empty()) command += " --folder " + path_word(folder);
  return {address.text, command, "`input` PATH"};
}

// "../x" would be written elsewhere.
bool is_below(std::string_view name) {
  return !name.empty() && name.find('\0') == std::string_view::npos && !name.ends_with('/') &&
         fs::path(name).lexically_normal() == fs::path(name) && fs::path(name).is_relative();
}

bool is_hidden_below(const std::string& name) {
  return name.starts_with('.') || name.find("/.") != std::string::npos;
}

class InputFetch {
 public:
  InputFetch(const std::string& given, const fs::path& folder, const FetchOptions& options, Progress& progress)
      : address_(parse_address(given)),
        options_(options_for(options, address_)),
        job_(options_, progress, subject_of(address_, folder)),
        place_(folder / "inputs", folder_name(given, address_)) {
    job_.note_unchecked = false;
    if (address_.kind != AddressKind::kWeb) return;
    HttpCredentials rest;
    rest.origin = address_.text;
    rest.query = address_.query;
    job_.credentials = std::make_shared<const HttpCredentials>(std::move(rest));
  }

  void add_to(FetchedPart& part) {
    const RemoteFiles found = files();
    fetch(found);
    const std::size_t before = part.downloads.size();
    for (const CatalogueFile& file : found.files) part.downloads.push_back(place_.folder / file.name);
    const bool is_file = found.files.size() == 1 && found.files.front().name == address_.path;
    if (is_file || address_.is_pattern()) {
      part.files.insert(part.files.end(), part.downloads.begin() + static_cast<std::ptrdiff_t>(before),
                        part.downloads.end());
    } else {
      std::string path = address_.path;
      while (path.ends_with('/')) path.pop_back();
      part.files.push_back(path.empty() ? place_.folder : place_.folder / path);
    }
  }

  // Without anything written. Text that is compressed is about three times as long.
  void add_to(DatasetFacts& facts) {
    constexpr std::uint64_t kUsualRatio = 3;
    for (CatalogueFile& file : (address_.kind == AddressKind::kWeb ? web_files() : ask()).files) {
      if (file.facts.size_bytes == 0) file.facts.size_bytes = size_of(file);
      facts.download_bytes += file.facts.size_bytes;
      const bool is_compressed = std::ranges::any_of(
          std::initializer_list<std::string_view>{".gz", ".bz2", ".xz", ".zst", ".zip", ".7z", ".parquet"},
          [&](std::string_view ending) { return file.name.ends_with(ending); });
      facts.text_bytes += file.facts.size_bytes * (is_compressed ? kUsualRatio : 1);
    }
  }

 private:
  RemoteFiles web_files() const {
    CatalogueFile file;
    file.name = address_.path;
    file.mirrors = {{address_.text}};
    if (!is_below(file.name) || is_hidden_below(file.name)) {
      throw FormatError("names no file", address_.text, "give https://HOST/PATH/FILE");
    }
    return {{std::move(file)}, {}, job_.credentials};
  }

  std::uint64_t size_of(const CatalogueFile& file) {
    Pages pages(job_.options, job_.policy, job_.progress);
    pages.set_credentials(job_.credentials);
    return address_.kind == AddressKind::kWeb ? pages.size_of(file.mirrors.front().url).value_or(0) : 0;
  }

  // The listing that the first call saved.
  RemoteFiles files() {
    if (address_.kind == AddressKind::kWeb) return web_files();
    const fs::path saved = place_.state / kListing;
    if (const auto text = read_file_if_any(saved)) return parse(*text, saved);
    if (options_.offline) job_.throw_offline();
    place_.make();
    const ProcessLock lock(place_.state / "listing.lock", job_.progress);
    if (const auto text = read_file_if_any(saved)) return parse(*text, saved);
    RemoteFiles found = ask();
    publish_bytes(saved, place_.state, json_of(found));
    return found;
  }

  RemoteFiles ask() {
    if (options_.offline) job_.throw_offline();
    RemoteFiles found = address_.kind == AddressKind::kHub ? list_hub(job_, address_) : list_s3(job_, address_);
    const std::size_t hidden =
        std::erase_if(found.files, [](const CatalogueFile& file) { return is_hidden_below(file.name); });
    std::uint64_t bytes = 0;
    for (const CatalogueFile& file : found.files) {
      bytes += file.facts.size_bytes;
      if (!is_below(file.name)) {
        throw FormatError("has a file '" + file.name + "', whose name can't be one here", address_.text,
                          "name the files to read by a pattern that leaves it out");
      }
    }
    if (found.files.empty()) throw IoError("has no files", address_.text, "check the path");
    std::ranges::sort(found.files, {}, &CatalogueFile::name);
    job_.progress.note(address_.text + " has " + counted(found.files.size(), "file") + " of " + counted(bytes, "byte") +
                       (found.revision.empty() ? "" : ", commit " + found.revision) +
                       (hidden == 0 ? "" : "; " + counted(hidden, "hidden file") + " left out"));
    return found;
  }

  // Keys are looked for only where a file is missing.
  void fetch(const RemoteFiles& found) {
    try {
      FetchOptions local = options_;
      local.offline = true;
      FetchJob here(local, job_.progress, job_.subject);
      here.note_unchecked = false;
      return fetch_files(here, place_, found.files);
    } catch (const OfflineError&) {
      if (options_.offline) throw;
    }
    if (found.credentials) job_.credentials = found.credentials;
    if (address_.kind == AddressKind::kHub) job_.credentials = hub_credentials();
    if (address_.kind == AddressKind::kS3 && found.credentials->secret_key.empty()) {
      job_.credentials = s3_credentials(job_, found.credentials->origin, found.credentials->region);
    }
    try {
      fetch_files(job_, place_, found.files);
    } catch (const IoError& error) {
      const std::string text = error.what();
      if (address_.kind != AddressKind::kHub || text.find("(GatedRepo)") == std::string::npos) throw;
      throw hub_refusal(address_, "GatedRepo");
    }
  }

  std::string json_of(const RemoteFiles& found) const {
    Json list = Json::array();
    for (const CatalogueFile& file : found.files) {
      Json json = Json::object();
      json.add("name", Json::string(file.name)).add("url", Json::string(file.mirrors.front().url));
      json.add("size", Json::number(file.facts.size_bytes));
      if (!file.facts.sha256.empty()) json.add("sha256", Json::string(file.facts.sha256));
      list.push(std::move(json));
    }
    Json all = Json::object();
    all.add("address", Json::string(address_.text)).add("revision", Json::string(found.revision));
    all.add("origin", Json::string(found.credentials->origin)).add("region", Json::string(found.credentials->region));
    return all.add("files", std::move(list)).dump();
  }

  static RemoteFiles parse(const std::string& text, const fs::path& where) {
    const Json all = Json::parse(text, where);
    HttpCredentials known;
    known.origin = all.at("origin").text();
    known.region = all.at("region").text();
    RemoteFiles found{{}, all.at("revision").text(), std::make_shared<const HttpCredentials>(std::move(known))};
    for (const Json& json : all.at("files").items()) {
      CatalogueFile& file = found.files.emplace_back();
      file.name = json.at("name").text();
      file.mirrors = {{json.at("url").text()}};
      file.facts.size_bytes = json.at("size").as_unsigned();
      if (const Json* sha256 = json.find("sha256")) file.facts.sha256 = sha256->text();
      if (!is_below(file.name)) throw FormatError("names a file outside its folder", where, "remove it");
    }
    return found;
  }

  Address address_;
  FetchOptions options_;
  FetchJob job_;
  Place place_;
};

}  // namespace

FetchedPart fetch_inputs(std::span<const fs::path> inputs, const fs::path& folder, const FetchOptions& options,
                         Progress& progress) {
  FetchedPart part;
  for (const fs::path& input : inputs) {
    if (is_address(input)) {
      InputFetch(input.native(), folder, options, progress).add_to(part);
    } else {
      part.files.push_back(input);
    }
  }
  return part;
}

DatasetFacts describe_inputs(std::span<const fs::path> inputs, const FetchOptions& options, Progress& progress) {
  DatasetFacts facts;
  for (const fs::path& input : inputs) {
    std::error_code error;
    if (is_address(input)) {
      InputFetch(input.native(), {}, options, progress).add_to(facts);
    } else if (fs::is_regular_file(input, error)) {
      facts.text_bytes += fs::file_size(input);
    } else {
      walk_folder(input, [&](const fs::directory_entry& entry) {
        if (entry.is_regular_file()) facts.text_bytes += entry.file_size();
        return true;
      });
    }
  }
  return facts;
}

}  // namespace bertprep
