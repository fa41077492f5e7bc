// fetch_entry: archives and plain files of the catalogue.
#include <algorithm>
#include <memory>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "fetch/catalogue.h"
#include "fetch/dataset_files.h"
#include "fetch/download.h"
#include "fetch/fetch_job.h"
#include "fetch/fetched_record.h"
#include "fetch/unpack.h"
#include "io/input_file.h"
#include "io/output_file.h"
#include "io/pending_file.h"
#include "source/columns/column_reader.h"
#include "stream/open_stream.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kColumn = "text";
constexpr std::uint64_t kMaxPageBytes = std::uint64_t{64} << 20U;

std::vector<DownloadTask> tasks_of(const FetchJob& job, const Place& place, const WantedMember& member) {
  std::vector<DownloadTask> tasks;
  for (std::size_t i = 0; i < member.rows.size(); ++i) {
    CatalogueFile file;
    file.name = member.name + "." + padded_number(i, 5) + ".parquet";
    file.mirrors = {{member.rows[i]}};
    DownloadTask task{place.state / file.name, place.state, {}, {}, false};
    for (const Mirror& mirror : mirrors_of(file, job.options)) task.urls.push_back(mirror.url);
    if (job.options.offline && task.urls.empty()) job.throw_offline();
    tasks.push_back(std::move(task));
  }
  return tasks;
}

// Calls `take` with each line of the member.
template <class Take>
void read_rows(const fs::path& path, const Take& take) {
  const ParquetMetadata metadata = read_parquet_metadata(path);
  const auto column = find_text_column(metadata.schema, kColumn);
  if (!column) throw FormatError("has no column '" + std::string(kColumn) + "'", path);
  const auto expansion = std::make_shared<Expansion>(path, fs::file_size(path), kUsualExpansion);
  ColumnReader rows({.path = path, .max_page_bytes = kMaxPageBytes, .expansion = expansion}, *column, metadata.groups,
                    0);
  for (std::uint64_t row = 1; row <= metadata.rows; ++row) {
    const ColumnValue value = rows.next();
    if (!value) throw FormatError("has no text in row " + grouped(row), path);
    take(value->empty() ? std::string_view(" ") : *value);
    if (!value->ends_with('\n')) take("\n");
  }
}

void make_member(const FetchJob& job, const Place& place, const CatalogueFile& archive, const WantedMember& member) {
  const std::vector<DownloadTask> tasks = tasks_of(job, place, member);
  download_all(tasks, job.options, job.policy, job.progress);
  PendingFile pending(place.folder / member.name, place.state);
  OutputFile output(pending.path());
  FileFacts known = member.facts;
  if (!member.rows_sha1.empty()) known.sha1 = member.rows_sha1;
  FactsMeter meter(known);
  std::string block;
  std::string broken;
  EmptyLines breaks(archive.article_lines);
  const auto write = [&] {
    if (job.progress.cancelled()) throw Cancelled();
    meter.update(block);
    if (archive.article_lines != 0) {
      breaks.append(block, broken);
      block.swap(broken);
    }
    output.write(block);
    block.clear();
    broken.clear();
  };
  for (const DownloadTask& task : tasks) {
    read_rows(task.target, [&](std::string_view text) {
      block += text;
      if (block.size() >= ReadBuffer::kUsualBytes) write();
    });
  }
  write();
  output.finish();
  const std::string problem = contradiction(known, meter.finish());
  std::error_code error;
  for (const DownloadTask& task : tasks) fs::remove(task.target, error);
  if (!problem.empty()) {
    throw FormatError("the text of its rows is not " + member.name + ": it " + problem, member.rows.front(),
                      "give a copy of " + archive.name + " with " + job.subject.option);
  }
  pending.publish();
  save_record({{fs::file_size(pending.final_path())}, archive.name + " " + archive.facts.sha256, true},
              place.folder / member.name, place.state);
}

// Whether all members can be made so.
bool have_rows(const CatalogueFile& archive) {
  const auto has = [](const WantedMember& member) { return !member.rows.empty(); };
  return !archive.members.empty() && std::ranges::all_of(archive.members, has);
}

// The members, as unpack() would leave them. A row that is empty stands for a line of one blank, as in the Hub's
// WikiText. Throws FormatError (the text is not the member, by its digest) and as download_all.
void make_members_of_rows(const FetchJob& job, const Place& place, const CatalogueFile& archive) {
  place.make();
  const ProcessLock lock(place.state / (archive.name + ".unpack"), job.progress);
  for (const WantedMember& member : archive.members) make_member(job, place, archive, member);
  sync_folder(place.folder);
}

UnpackTask unpack_task(const CatalogueFile& file, const fs::path& archive, const Place& place) {
  return {archive, file.facts.sha256, file.members, file.article_lines, place.folder, place.state};
}

// Adds files that were unpacked or downloaded.
void add_files(FetchedPart& part, const std::vector<fs::path>& files) {
  part.files.insert(part.files.end(), files.begin(), files.end());
  part.downloads.insert(part.downloads.end(), files.begin(), files.end());
}

// Members that the user has already unpacked, below `folder` under their name or their path in the archive.
std::vector<fs::path> unpacked_by_user(const CatalogueFile& file, const fs::path& folder) {
  std::vector<fs::path> files;
  for (const WantedMember& member : file.members) {
    if (member.is_pattern()) return {};
    for (const fs::path& path : {folder / member.name, folder / member.path}) {
      if (!fs::is_regular_file(path)) continue;
      files.push_back(path);
      break;
    }
  }
  return files.size() == file.members.size() ? files : std::vector<fs::path>{};
}

// The user's text with the boundaries that a member from the archive would get.
fs::path copy_with_breaks(const fs::path& from, const fs::path& target, const Place& place, std::uint64_t lines) {
  PendingFile pending(target, place.state);
  InputFile input(from);
  OutputFile output(pending.path());
  EmptyLines breaks(lines);
  const ReadBuffer buffer;
  std::string text;
  while (const std::size_t count = input.read(buffer.span())) {
    text.clear();
    breaks.append(buffer.first(count), text);
    output.write(text);
  }
  output.finish();
  pending.publish();
  save_record({facts_of_file(target, {}), from.string(), true}, target, place.state);
  return target;
}

bool is_archive(const fs::path& path) {
  const std::string name = path.filename().string();
  for (const char* ending : {".zip", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst", ".7z"}) {
    if (name.ends_with(ending)) return true;
  }
  return false;
}

void take_file(const FetchJob& job, const Place& place, const CatalogueFile& file, const fs::path& path,
               FetchedPart& part) {
  if (file.members.empty() || is_archive(path) || file.members.size() > 1) {
    check_local_file(job, place, file, path);
    if (file.members.empty()) {
      part.files.push_back(path);
      return;
    }
    UnpackTask task = unpack_task(file, path, place);
    task.archive_mark = mark_of(path, place.state);
    add_files(part, unpack(task, job.progress));
    return;
  }
  const WantedMember& member = file.members.front();
  check_local_file(job, place, {member.name, {}, member.facts, {}, 0}, path);
  part.files.push_back(path);
}

FetchedPart take_folder(const FetchJob& job, const Place& place, const CatalogueEntry& entry, const fs::path& folder) {
  FetchedPart part{entry.format, {}};
  std::string missing;
  for (const CatalogueFile& file : entry.files) {
    if (fs::is_regular_file(folder / file.name)) {
      take_file(job, place, file, folder / file.name, part);
    } else if (const auto files = unpacked_by_user(file, folder); !files.empty()) {
      for (std::size_t i = 0; i < files.size(); ++i) {
        const WantedMember& member = file.members[i];
        check_local_file(job, place, {member.name, {}, member.facts, {}, 0}, files[i]);
        if (file.article_lines == 0) {
          part.files.push_back(files[i]);
        } else {
          add_files(part, {copy_with_breaks(files[i], place.folder / member.name, place, file.article_lines)});
        }
      }
    } else {
      missing += (missing.empty() ? "" : ", ") + file.name;
    }
  }
  if (missing.empty()) return part;
  if (!entry.folder_format.empty()) {
    job.progress.note("using the files in " + folder.string() + " as " + entry.folder_format);
    return {entry.folder_format, {folder}};
  }
  throw IoError("has no " + missing, folder, "the files of " + entry.name + " are searched for there by name");
}

// Fetches the archive or, where no source has it, its members.
void fetch_archive_or_rows(const FetchJob& job, const Place& place, const CatalogueFile& file) {
  std::vector<FailedSource> failed;
  try {
    return fetch_files(job, place, {file}, &failed);
  } catch (const Cancelled&) {
    throw;
  } catch (const Error&) {
    if (failed.empty()) throw;
  }
  job.progress.note(file.name + " could not be fetched: " + in_one_line(failed) +
                    "; its members are made from the rows of Parquet files");
  make_members_of_rows(job, place, file);
}

}  // namespace

FetchedPart fetch_entry(const FetchJob& job, const CatalogueEntry& entry, const fs::path& folder,
                        const fs::path& from_file) {
  const Place place(folder, entry.name);
  const bool is_listed = !entry.listing.names.empty();
  if (is_listed && from_file.empty()) {
    CatalogueEntry found = entry;
    found.listing = {};
    found.files = listed_files(job, entry.listing, place);
    job.progress.note(entry.name + " has " + counted(found.files.size(), "file"));
    return fetch_entry(job, found, folder, from_file);
  }
  if (!from_file.empty()) {
    place.make();
    if (is_listed && fs::is_directory(from_file)) return {entry.format, files_as_listed(entry.listing, from_file)};
    if (is_listed && fs::exists(from_file)) return {entry.format, {from_file}};
    if (fs::is_directory(from_file)) return take_folder(job, place, entry, from_file);
    if (!fs::exists(from_file)) throw IoError("does not exist", from_file, "give `from_file` a file or folder");
    if (from_file.extension() == ".jsonl" && !entry.folder_format.empty() && entry.format != "jsonl") {
      FetchedPart part{entry.folder_format, {}};
      add_files(part, {fetch_book_list(job, place, from_file)});
      return part;
    }
    if (entry.files.size() != 1) {
      throw ConfigError(entry.name + " has " + counted(entry.files.size(), "file"), from_file,
                        "give `from_file` a folder that holds them");
    }
    FetchedPart part{entry.format, {}};
    take_file(job, place, entry.files.front(), from_file, part);
    return part;
  }

  std::vector<CatalogueFile> needed;
  for (const CatalogueFile& file : entry.files) {
    // Files unpacked from the same archive suffice.
    const bool archive = !file.members.empty();
    if (archive && is_unpacked(unpack_task(file, place.folder / file.name, place))) continue;
    if (have_rows(file)) {
      fetch_archive_or_rows(job, place, file);
    } else {
      needed.push_back(file);
    }
  }
  fetch_files(job, place, needed);
  FetchedPart part{entry.format, {}};
  for (const CatalogueFile& file : entry.files) {
    const fs::path path = place.folder / file.name;
    if (file.members.empty()) {
      add_files(part, {path});
      continue;
    }
    if (fs::exists(path)) part.downloads.push_back(path);
    UnpackTask task = unpack_task(file, path, place);
    if (!is_unpacked(task)) {
      task.archive_mark = mark_of(path, place.state);
      unpack(task, job.progress);
    }
    add_files(part, unpacked_files(task));
  }
  return part;
}

}  // namespace bertprep
