// fetch_inputs: each address -> a folder of its own with the files that it stands for.
#include <algorithm>

#include "base/number_text.h"
#include "fetch/address/address.h"
#include "fetch/pages.h"
#include "io/folder.h"
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
    RemoteFiles found = ask();
    std::vector<RecordRemark> left_out;
    leave_out(found, choice, left_out);
    for (CatalogueFile& file : found.files) {
      if (file.facts.size_bytes == 0 && address_.kind == AddressKind::kWeb) file.facts.size_bytes = web_size();
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

  std::uint64_t web_size() {
    Pages pages(job_.options, job_.policy, job_.progress);
    pages.set_credentials(web_credentials());
    return pages.size_of(address_.text).value_or(0);
  }

  // The listing that the first call saved.
  RemoteFiles files() {
    if (address_.kind == AddressKind::kWeb) return ask();
    const auto find = [] { return std::string(kListing); };
    const auto save = [&] { return SavedListing{kListing, json_of(ask())}; };
    return parse(kept_listing(job_, place_, {address_.text}, find, save));
  }

  RemoteFiles ask() {
    if (address_.kind == AddressKind::kWeb) {
      if (is_below(address_.path) && !is_hidden_below(address_.path)) return {{{address_.path, {{address_.text}}}}};
      throw FormatError("names no file", address_.text, "give https://HOST/PATH/FILE");
    }
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

  void fetch(const RemoteFiles& found) {
    job_.credentials = [this, origin = found.origin, region = found.region] {
      if (address_.kind == AddressKind::kWeb) return web_credentials();
      return address_.kind == AddressKind::kHub ? hub_credentials() : s3_credentials(job_, origin, region);
    };
    try {
      fetch_files(job_, place_, found.files);
    } catch (const IoError& error) {
      const std::string text = error.what();
      if (address_.kind != AddressKind::kHub || text.find("(GatedRepo)") == std::string::npos) throw;
      throw hub_refusal(address_, "GatedRepo");
    }
  }

  Credentials web_credentials() const {
    HttpCredentials rest;
    rest.origin = address_.text;
    rest.query = address_.query;
    return std::make_shared<const HttpCredentials>(std::move(rest));
  }

  Json json_of(const RemoteFiles& found) const {
    return Json::object({{"address", address_.text},
                         {"revision", found.revision},
                         {"origin", found.origin},
                         {"region", found.region},
                         {"files", bertprep::json_of(found.files)}});
  }

  RemoteFiles parse(const Json& all) const {
    RemoteFiles found{files_of(all.at("files")), all.at("revision").text(), all.at("origin").text(),
                      all.at("region").text()};
    for (const CatalogueFile& file : found.files) {
      if (!is_below(file.name))
        throw FormatError("names a file outside its folder", place_.state / kListing, "remove it");
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
