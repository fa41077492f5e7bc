#include "fetch/fetched_record.h"

#include <algorithm>
#include <chrono>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/file_system.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "io/pending_file.h"
#include "io/process.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

using namespace std::string_view_literals;

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kMagic{{
    {".zip", "PK"sv},
    {".bz2", "BZh"sv},
    {".gz", "\x1f\x8b"sv},
    {".tgz", "\x1f\x8b"sv},
    {".xz",
     "\xfd"
     "7zXZ\0"sv},
    {".zst", "\x28\xb5\x2f\xfd"sv},
    {".7z", "7z\xbc\xaf\x27\x1c"sv},
    {".parquet", "PAR1"sv},
    {".xml", "<"sv},
}};

bool is_page(std::string_view name, std::string_view head) {
  if (name.ends_with(".html") || name.ends_with(".htm") || name.ends_with(".xhtml")) return false;
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  head.remove_prefix(std::min(head.find_first_not_of(kAsciiBlanks), head.size()));
  return starts_in_any_case(head, "<!doctype html") || starts_in_any_case(head, "<html") ||
         starts_in_any_case(head, "<head>");
}

fs::path record_path(const fs::path& file, const fs::path& state_folder) {
  return state_folder / (file.filename().string() + ".fetched.json");
}

// Records apply to one place: a user's copy elsewhere may have the same name, size and time.
std::string record_place(const fs::path& file, const fs::path& state_folder) {
  return fs::absolute(file).lexically_normal().lexically_relative(
      fs::absolute(state_folder).lexically_normal().parent_path());
}

// Nanoseconds by the clock of std::filesystem; beyond its end, seconds and nanoseconds since 1970.
std::string time_of(const fs::path& file) {
  std::error_code error;
  const auto since_epoch = fs::last_write_time(file, error).time_since_epoch();
  if (!error) return std::to_string(std::chrono::duration_cast<std::chrono::nanoseconds>(since_epoch).count());
  const WriteTime time = write_time_of(file);
  return std::to_string(time.seconds) + "." + std::to_string(time.nanoseconds);
}

// How much is below a folder, as records of folders say it.
Json amount_below(const fs::path& folder) {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  walk_folder(folder, [&](const fs::directory_entry& entry) {
    if (entry.is_regular_file()) {
      ++files;
      bytes += entry.file_size();
    }
    return true;
  });
  return Json::object({{"files", files}, {"bytes", bytes}});
}

std::string line_of(const fs::directory_entry& entry, const fs::path& folder) {
  std::string line = entry.path().lexically_relative(folder).string();
  line += '\0' + std::to_string(static_cast<int>(entry.symlink_status().type()));
  if (!entry.is_symlink() && entry.is_regular_file()) {
    line += ' ' + std::to_string(entry.file_size()) + ' ' + time_of(entry.path());
  }
  return line;
}

std::string digest_listing(const fs::path& folder) {
  std::vector<std::string> lines;
  walk_folder(folder, [&](const fs::directory_entry& entry) {
    lines.push_back(line_of(entry, folder));
    return true;
  });
  std::sort(lines.begin(), lines.end());
  Sha256 digest;
  for (const std::string& line : lines) digest.update(line + '\0');
  return digest.finish();
}

}  // namespace

FileFacts FileFacts::from_json(const Json& json) {
  FileFacts facts;
  if (const Json* size = json.find("size")) facts.size_bytes = size->as_unsigned();
  for (const DigestKind kind : kDigestKinds) {
    if (const Json* hex = json.find(digest_name(kind))) facts.set_digest(kind, hex->text());
  }
  return facts;
}

void FileFacts::add_digests_to(Json& json) const {
  for (const DigestKind kind : kDigestKinds) {
    if (!digest(kind).empty()) json.add(std::string(digest_name(kind)), digest(kind));
  }
}

const std::string& FileFacts::digest(DigestKind kind) const {
  return kind == DigestKind::kSha256 ? sha256 : kind == DigestKind::kSha1 ? sha1 : md5;
}

void FileFacts::set_digest(DigestKind kind, std::string hex) {
  (kind == DigestKind::kSha256 ? sha256 : kind == DigestKind::kSha1 ? sha1 : md5) = std::move(hex);
}

void FileFacts::complete_by(const FileFacts& known) {
  if (size_bytes == 0) size_bytes = known.size_bytes;
  for (const DigestKind kind : kDigestKinds) {
    if (digest(kind).empty()) set_digest(kind, known.digest(kind));
  }
}

FactsMeter::FactsMeter(const FileFacts& known) {
  for (const DigestKind kind : kDigestKinds) {
    if (kind == DigestKind::kSha256 || !known.digest(kind).empty()) digests_.emplace_back(kind);
  }
}

void FactsMeter::update(std::string_view bytes) {
  size_bytes_ += bytes.size();
  for (Digest& digest : digests_) digest.update(bytes);
}

FileFacts FactsMeter::finish() {
  FileFacts facts;
  facts.size_bytes = size_bytes_;
  for (Digest& digest : digests_) facts.set_digest(digest.kind(), digest.finish());
  return facts;
}

FileFacts facts_of_file(const fs::path& path, const FileFacts& known) {
  InputFile file(path);
  FactsMeter meter(known);
  const ReadBuffer buffer;
  while (const std::size_t count = file.read(buffer.span())) meter.update(buffer.first(count));
  return meter.finish();
}

std::string contradiction(const FileFacts& known, const FileFacts& found) {
  if (known.size_bytes != 0 && known.size_bytes != found.size_bytes) {
    return "has " + counted(found.size_bytes, "byte") + " instead of " + grouped(known.size_bytes);
  }
  for (const DigestKind kind : kDigestKinds) {
    const std::string& expected = known.digest(kind);
    const std::string& actual = found.digest(kind);
    if (expected.empty() || actual.empty() || expected == actual) continue;
    return "has the " + std::string(digest_name(kind)) + " " + actual + " instead of " + expected;
  }
  return {};
}

std::string fault_of_head(std::string_view name, std::string_view head, bool is_known) {
  const auto* const promise =
      std::ranges::find_if(kMagic, [&](const auto& magic) { return name.ends_with(magic.first); });
  const bool is_promised = promise != kMagic.end();
  const bool is_other = is_promised && !head.starts_with(promise->second);
  if ((is_other || !is_known) && is_page(name, head)) {
    return "is a page of HTML, such as servers show for a login or an error";
  }
  return is_other ? "is not the type of file that its name says: it begins with other bytes" : "";
}

std::optional<FetchedRecord> find_record(const fs::path& file, const fs::path& state_folder) try {
  const fs::path path = record_path(file, state_folder);
  std::error_code error;
  if (!fs::is_regular_file(file, error) || !fs::is_regular_file(path, error)) return std::nullopt;
  const Json json = read_json(path);
  if (json.at("size").as_unsigned() != fs::file_size(file) || json.at("time").text() != time_of(file)) {
    return std::nullopt;
  }
  const Json* made = json.find("made");
  return FetchedRecord{FileFacts::from_json(json), json.at("from").text(),
                       made != nullptr && made->text() == record_place(file, state_folder)};
} catch (const FormatError&) {
  return std::nullopt;
}

void save_record(const FetchedRecord& record, const fs::path& file, const fs::path& state_folder) {
  Json json = Json::object({{"from", record.from}, {"size", record.facts.size_bytes}, {"time", time_of(file)}});
  if (record.is_made) json.add("made", record_place(file, state_folder));
  record.facts.add_digests_to(json);
  publish_bytes(record_path(file, state_folder), state_folder, json.dump());
}

std::optional<std::string> find_origin(const fs::path& unpacked, const fs::path& state_folder) try {
  std::error_code error;
  if (!fs::is_directory(unpacked, error)) {
    const auto record = find_record(unpacked, state_folder);
    return record ? std::optional(record->from) : std::nullopt;
  }
  const fs::path path = record_path(unpacked, state_folder);
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  const Json json = read_json(path);
  const Json below = amount_below(unpacked);
  for (const auto& [key, amount] : below.members()) {
    if (json.at(key).as_unsigned() != amount.as_unsigned()) return std::nullopt;
  }
  return json.at("from").text();
} catch (const FormatError&) {
  return std::nullopt;
}

bool is_as_unpacked(const fs::path& folder, const fs::path& state_folder) {
  if (!find_origin(folder, state_folder)) return false;
  const Json json = read_json(record_path(folder, state_folder));
  const Json* listing = json.find("listing-sha256");
  return listing != nullptr && listing->text() == digest_listing(folder);
}

void save_folder_record(const std::string& from, const fs::path& folder, const fs::path& state_folder) {
  const Json below = amount_below(folder);
  Json json = Json::object({{"from", from}});
  for (const auto& [key, amount] : below.members()) json.add(key, amount);
  json.add("listing-sha256", digest_listing(folder));
  publish_bytes(record_path(folder, state_folder), state_folder, json.dump());
}

ProcessLock::ProcessLock(const fs::path& path, Progress& progress) {
  bool is_reported = false;
  while (!(file_ = ResumableFile::try_open(path))) {
    if (!is_reported) progress.note("another process is working on " + path.stem().string() + "; waiting for it");
    is_reported = true;
    if (progress.cancelled()) throw Cancelled();
    pause_for(std::chrono::milliseconds(200));
  }
}

ProcessLock::~ProcessLock() {
  if (file_) file_->discard();
}

}  // namespace bertprep
