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
#include "io/state_folder.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kListing = "listing.json";
constexpr std::size_t kLongestName = 60;
constexpr std::size_t kDigits = 8;

// "train-1a2b3c4d": of each address another one, however the server calls its files.
std::string folder_name(const Address& address) {
  std::string plain = without_slashes_at_end(address.kind == AddressKind::kWeb ? address.path : address.plain_path());
  if (plain.empty()) plain = address.place;
  const std::string full = address.text + (address.query.empty() ? "" : "?" + address.query);
  std::string name;
  for (const char c : plain.substr(plain.rfind('/') + 1)) {
    const bool is_plain = is_ascii_alphanumeric(c) || c == '-' || c == '_' || (c == '.' && !name.empty());
    name += is_plain ? c : '_';
  }
  return name.substr(0, kLongestName) + "-" + digest_of(DigestKind::kSha256, full).substr(0, kDigits);
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
      : address_(parse_input(given, options)),
        options_(options_for(options, address_)),
        job_(options_, progress, subject_of(address_, folder)),
        place_(folder / "inputs", folder_name(address_)) {
    job_.note_unchecked = false;
    if (address_.kind != AddressKind::kWeb) return;
    HttpCredentials rest;
    rest.origin = address_.text;
    rest.query = address_.query;
    job_.credentials = std::make_shared<const HttpCredentials>(std::move(rest));
  }

  void add_to(FetchedPart& part, const RemoteChoice& choice) {
    RemoteFiles found = files();
    leave_out(found, choice, part.left_out);
    const std::string& path = address_.path;
    const bool are_inputs = address_.is_pattern() || (found.files.size() == 1 && found.files.front().name == path);
    if (!are_inputs) part.files.push_back(place_.folder / without_slashes_at_end(path));
    RemoteInput& remote = part.remote.emplace_back(RemoteInput{address_.pinned(found.revision), {}});
    for (const CatalogueFile& file : found.files) {
      const fs::path target = place_.folder / file.name;
      part.downloads.push_back(target);
      if (are_inputs) part.files.push_back(target);
      remote.files.push_back({target, part.files.size() - 1, file.facts.size_bytes});
    }
    std::size_t next = 0;
    const auto waits = [&](const CatalogueFile&) { return choice.fetches && !choice.fetches(remote.files[next++]); };
    std::erase_if(found.files, waits);
    if (!found.files.empty()) fetch(found);
    if (choice.fetches) return;
    for (RemoteFile& file : remote.files) {
      const auto record = find_record(file.file, state_beside(file.file.parent_path()));
      if (record) file = {file.file, file.input, record->facts.size_bytes, record->facts.sha256};
    }
  }

  // Without anything written. Text that is compressed is about three times as long.
  void add_to(DatasetFacts& facts, const RemoteChoice& choice) {
    constexpr std::uint64_t kUsualRatio = 3;
    RemoteFiles found = address_.kind == AddressKind::kWeb ? web_files() : ask();
    std::vector<RecordRemark> left_out;
    leave_out(found, choice, left_out);
    for (CatalogueFile& file : found.files) {
      if (file.facts.size_bytes == 0) file.facts.size_bytes = size_of(file);
      facts.download_bytes += file.facts.size_bytes;
      const bool is_compressed = std::ranges::any_of(
          std::initializer_list<std::string_view>{".gz", ".bz2", ".xz", ".zst", ".zip", ".7z", ".parquet"},
          [&](std::string_view ending) { return file.name.ends_with(ending); });
      facts.text_bytes += file.facts.size_bytes * (is_compressed ? kUsualRatio : 1);
    }
  }

 private:
  void leave_out(RemoteFiles& found, const RemoteChoice& choice, std::vector<RecordRemark>& left_out) const {
    if (!choice.why_left_out || address_.is_pattern()) return;
    const std::string folder = without_slashes_at_end(address_.path);
    const std::size_t before = left_out.size();
    std::erase_if(found.files, [&](const CatalogueFile& file) {
      if (file.name == address_.path) return false;
      const auto reason = choice.why_left_out(file.name.substr(folder.empty() ? 0 : folder.size() + 1));
      if (reason) left_out.push_back({(place_.folder / file.name).native(), *reason});
      return reason.has_value();
    });
    if (!found.files.empty()) return;
    throw IoError("has no files that are read", address_.text,
                  left_out.at(before).where + " is " + left_out.at(before).text);
  }

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
    publish_bytes(saved, place_.state, saved_text(found));
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

  std::string saved_text(const RemoteFiles& found) const {
    Json all = Json::object();
    all.add("address", Json::string(address_.text)).add("revision", Json::string(found.revision));
    all.add("origin", Json::string(found.credentials->origin)).add("region", Json::string(found.credentials->region));
    return all.add("files", json_of(found.files)).dump();
  }

  static RemoteFiles parse(const std::string& text, const fs::path& where) {
    const Json all = Json::parse(text, where);
    HttpCredentials known;
    known.origin = all.at("origin").text();
    known.region = all.at("region").text();
    for (const CatalogueFile& file : files_of(all.at("files"))) {
      if (!is_below(file.name)) throw FormatError("names a file outside its folder", where, "remove it");
    }
    return {files_of(all.at("files")), all.at("revision").text(),
            std::make_shared<const HttpCredentials>(std::move(known))};
  }

  Address address_;
  FetchOptions options_;
  FetchJob job_;
  Place place_;
};

}  // namespace

FetchedPart fetch_inputs(std::span<const fs::path> inputs, const fs::path& folder, const FetchOptions& options,
                         Progress& progress, const RemoteChoice& choice) {
  FetchedPart part;
  for (const fs::path& input : inputs) {
    if (is_address(input)) {
      InputFetch(input.native(), folder, options, progress).add_to(part, choice);
    } else {
      part.files.push_back(input);
    }
  }
  return part;
}

DatasetFacts describe_inputs(std::span<const fs::path> inputs, const FetchOptions& options, Progress& progress,
                             const RemoteChoice& choice) {
  DatasetFacts facts;
  for (const fs::path& input : inputs) {
    std::error_code error;
    if (is_address(input)) {
      InputFetch(input.native(), {}, options, progress).add_to(facts, choice);
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
