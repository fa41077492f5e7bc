#include "fetch/fetched_record.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/file_system.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "io/json.h"
#include "io/pending_file.h"
#include "io/process.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

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

struct Amount {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
};

Amount amount_below(const fs::path& folder) {
  Amount amount;
  walk_folder(folder, [&](const fs::directory_entry& entry) {
    if (entry.is_regular_file()) {
      ++amount.files;
      amount.bytes += entry.file_size();
    }
    return true;
  });
  return amount;
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

std::optional<FetchedRecord> find_record(const fs::path& file, const fs::path& state_folder) {
  const fs::path path = record_path(file, state_folder);
  std::error_code error;
  if (!fs::is_regular_file(file, error) || !fs::is_regular_file(path, error)) return std::nullopt;
  try {
    const Json json = read_json(path);
    if (json.at("size").as_unsigned() != fs::file_size(file) || json.at("time").text() != time_of(file)) {
      return std::nullopt;
    }
    FetchedRecord record;
    record.from = json.at("from").text();
    if (const Json* made = json.find("made")) record.is_made = made->text() == record_place(file, state_folder);
    record.facts.size_bytes = json.at("size").as_unsigned();
    for (const DigestKind kind : {DigestKind::kSha256, DigestKind::kSha1, DigestKind::kMd5}) {
      if (const Json* hex = json.find(digest_name(kind))) record.facts.set_digest(kind, hex->text());
    }
    return record;
  } catch (const FormatError&) {
    return std::nullopt;
  }
}

void save_record(const FetchedRecord& record, const fs::path& file, const fs::path& state_folder) {
  Json json = Json::object();
  json.add("from", Json::string(record.from));
  json.add("size", Json::number(record.facts.size_bytes));
  json.add("time", Json::string(time_of(file)));
  if (record.is_made) json.add("made", Json::string(record_place(file, state_folder)));
  for (const DigestKind kind : {DigestKind::kSha256, DigestKind::kSha1, DigestKind::kMd5}) {
    const std::string& hex = record.facts.digest(kind);
    if (!hex.empty()) json.add(std::string(digest_name(kind)), Json::string(hex));
  }
  publish_bytes(record_path(file, state_folder), state_folder, json.dump());
}

FileFacts facts_of_file(const fs::path& path, const FileFacts& known) {
  InputFile file(path);
  FactsMeter meter(known);
  const ReadBuffer buffer;
  while (const std::size_t count = file.read(buffer.span())) meter.update(buffer.first(count));
  return meter.finish();
}

std::optional<std::string> record_source(const fs::path& file, const fs::path& state_folder) {
  const auto record = find_record(file, state_folder);
  if (!record) return std::nullopt;
  return record->from;
}

std::optional<std::string> find_folder_record(const fs::path& folder, const fs::path& state_folder) {
  const fs::path path = record_path(folder, state_folder);
  std::error_code error;
  if (!fs::is_directory(folder, error) || !fs::is_regular_file(path, error)) return std::nullopt;
  try {
    const Json json = read_json(path);
    const Amount amount = amount_below(folder);
    if (json.at("files").as_unsigned() != amount.files || json.at("bytes").as_unsigned() != amount.bytes) {
      return std::nullopt;
    }
    return json.at("from").text();
  } catch (const FormatError&) {
    return std::nullopt;
  }
}

bool is_as_unpacked(const fs::path& folder, const fs::path& state_folder) {
  if (!find_folder_record(folder, state_folder)) return false;
  const Json json = Json::parse(read_file(record_path(folder, state_folder)), record_path(folder, state_folder));
  const Json* listing = json.find("listing-sha256");
  return listing != nullptr && listing->text() == digest_listing(folder);
}

void save_folder_record(const std::string& from, const fs::path& folder, const fs::path& state_folder) {
  const Amount amount = amount_below(folder);
  Json json = Json::object();
  json.add("from", Json::string(from));
  json.add("files", Json::number(amount.files));
  json.add("bytes", Json::number(amount.bytes));
  json.add("listing-sha256", Json::string(digest_listing(folder)));
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
