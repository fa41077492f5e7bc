#include "fetch/dataset_files.h"

#include <algorithm>

#include "base/number_text.h"
#include "fetch/pages.h"
#include "fetch/unpack.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "io/pending_file.h"
#include "source/columns/column_reader.h"
#include "stream/line_reader.h"
#include "stream/open_stream.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// The downloads of a member's rows, to the hidden folder.
std::vector<DownloadTask> rows_of(const FetchJob& job, const Place& place, const WantedMember& member) {
  std::vector<DownloadTask> tasks;
  for (std::size_t i = 0; i < member.rows.size(); ++i) {
    const CatalogueFile file{member.name + "." + padded_number(i, 5) + ".parquet", {{member.rows[i]}}};
    tasks.push_back(download_task(job, file, place.state, place.state));
    tasks.back().note_unchecked = false;
  }
  return tasks;
}

// Writes the lines of a member that a Parquet file has. A row that is empty stands for a line of one blank, as in the
// Hub's WikiText.
void write_rows(const fs::path& path, const Progress& progress, MemberWriter& out) {
  constexpr std::string_view kColumn = "text";
  constexpr std::uint64_t kMaxPageBytes = std::uint64_t{64} << 20U;
  const ParquetMetadata metadata = read_parquet_metadata(path);
  const auto column = find_text_column(metadata.schema, kColumn);
  if (!column) throw FormatError("has no column '" + std::string(kColumn) + "'", path);
  const auto expansion = std::make_shared<Expansion>(path, fs::file_size(path), kUsualExpansion);
  ColumnReader rows({.path = path, .max_page_bytes = kMaxPageBytes, .expansion = expansion}, *column, metadata.groups,
                    0);
  for (std::uint64_t row = 1; row <= metadata.rows; ++row) {
    const ColumnValue value = rows.next();
    if (!value) throw FormatError("has no text in row " + grouped(row), path);
    if (progress.cancelled()) throw Cancelled();
    out.write(value->empty() ? std::string_view(" ") : *value);
    if (!value->ends_with('\n')) out.write("\n");
  }
}

void make_member(const FetchJob& job, const Place& place, const CatalogueFile& archive, const WantedMember& member) {
  const std::vector<DownloadTask> tasks = rows_of(job, place, member);
  download_all(tasks, job.options, job.policy, job.progress);
  PendingFile pending(place.folder / member.name, place.state);
  FileFacts known = member.facts;
  if (!member.rows_sha1.empty()) known.sha1 = member.rows_sha1;
  MemberWriter out(pending.path(), known, archive.article_lines);
  for (const DownloadTask& task : tasks) write_rows(task.target, job.progress, out);
  const std::string problem = contradiction(known, out.finish());
  std::error_code error;
  for (const DownloadTask& task : tasks) fs::remove(task.target, error);
  if (!problem.empty()) {
    throw FormatError("the text of its rows is not " + member.name + ": it " + problem, member.rows.front(),
                      "give a copy of " + archive.name + " with " + job.subject.option);
  }
  pending.publish();
  save_record({{fs::file_size(pending.final_path())}, archive.name + " " + archive.facts.sha256, true},
              pending.final_path(), place.state);
}

// Fetches the archive or, where no source has it, makes its members of rows, as unpack() would leave them. Throws
// FormatError (the text is not the member, by its digest) and as download_all.
void fetch_archive_or_rows(const FetchJob& job, const Place& place, const CatalogueFile& archive) {
  std::vector<FailedSource> failed;
  try {
    return fetch_files(job, place, {archive}, &failed);
  } catch (const Cancelled&) {
    throw;
  } catch (const Error&) {
    if (failed.empty()) throw;
  }
  job.progress.note(archive.name + " could not be fetched: " + in_one_line(failed) +
                    "; its members are made from the rows of Parquet files");
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
  MemberWriter out(pending.path(), {}, lines);
  InputFile input(from);
  const ReadBuffer buffer;
  while (const std::size_t count = input.read(buffer.span())) out.write(buffer.first(count));
  out.finish();
  pending.publish();
  save_record({facts_of_file(target, {}), from.string(), true}, target, place.state);
  return target;
}

// The user's file as a member of the archive.
void check_member(const FetchJob& job, const Place& place, const WantedMember& member, const fs::path& path) {
  check_local_file(job, place, {member.name, {}, member.facts}, path);
}

void take_file(const FetchJob& job, const Place& place, const CatalogueFile& file, const fs::path& path,
               FetchedPart& part) {
  const std::string name = path.filename().string();
  const bool is_archive = has_archive_ending(name) || name.ends_with(".7z");
  if (file.members.size() == 1 && !is_archive) {
    check_member(job, place, file.members.front(), path);
    part.files.push_back(path);
    return;
  }
  check_local_file(job, place, file, path);
  if (file.members.empty()) {
    part.files.push_back(path);
    return;
  }
  UnpackTask task = unpack_task(file, path, place);
  task.archive_mark = mark_of(path, place.state);
  add_files(part, unpack(task, job.progress));
}

FetchedPart take_folder(const FetchJob& job, const Place& place, const CatalogueEntry& entry, const fs::path& folder) {
  FetchedPart part{entry.format, {}};
  std::vector<std::string> missing;
  for (const CatalogueFile& file : entry.files) {
    if (fs::is_regular_file(folder / file.name)) {
      take_file(job, place, file, folder / file.name, part);
    } else if (const auto files = unpacked_by_user(file, folder); !files.empty()) {
      for (std::size_t i = 0; i < files.size(); ++i) {
        const WantedMember& member = file.members[i];
        check_member(job, place, member, files[i]);
        if (file.article_lines == 0) {
          part.files.push_back(files[i]);
        } else {
          add_files(part, {copy_with_breaks(files[i], place.folder / member.name, place, file.article_lines)});
        }
      }
    } else {
      missing.push_back(file.name);
    }
  }
  if (missing.empty()) return part;
  if (!entry.folder_format.empty()) {
    job.progress.note("using the files in " + folder.string() + " as " + entry.folder_format);
    return {entry.folder_format, {folder}};
  }
  throw IoError("has no " + joined(missing), folder, "the files of " + entry.name + " are searched for there by name");
}

// Downloads all books of a list and returns their folder. Reports unavailable ones as skipped. Throws IoError if there
// are none.
fs::path fetch_book_list(const FetchJob& job, const Place& place, const fs::path& list) {
  const fs::path folder = place.folder / "books";
  fs::create_directories(folder);
  const std::vector<CatalogueFile> books = read_book_list(list);
  const auto is_present = [&](const CatalogueFile& book) { return fs::is_regular_file(folder / book.name); };
  std::vector<DownloadTask> tasks;
  for (const CatalogueFile& book : books) {
    if (is_present(book)) continue;
    tasks.push_back(download_task(job, book, folder, place.state));
    tasks.back().note_unchecked = false;
  }
  download_all(tasks, job.options, job.policy, job.progress, true);
  if (std::ranges::any_of(books, is_present)) return folder;
  throw IoError(books.empty() ? "lists no book with a key 'txt'" : "none of its books could be fetched", list);
}

// The user's files that match the listing.
std::vector<fs::path> files_as_listed(const Listing& listing, const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : list_folder(folder)) {
    if (entry.is_regular_file() && listing.has(entry.path().filename().string())) files.push_back(entry.path());
  }
  if (files.empty()) throw IoError("has no " + listing.names, folder, "give `from_file` a folder with such files");
  return files;
}

// The user's file or folder.
FetchedPart take_local(const FetchJob& job, const Place& place, const CatalogueEntry& entry, const fs::path& from) {
  const bool is_listed = !entry.listing.names.empty();
  const bool is_folder = fs::is_directory(from);
  place.make();
  if (is_listed && is_folder) return {entry.format, files_as_listed(entry.listing, from)};
  if (is_listed && fs::exists(from)) return {entry.format, {from}};
  if (is_folder) return take_folder(job, place, entry, from);
  if (!fs::exists(from)) throw IoError("does not exist", from, "give `from_file` a file or folder");
  FetchedPart part{entry.format, {}};
  if (from.extension() == ".jsonl" && !entry.folder_format.empty() && entry.format != "jsonl") {
    part.format = entry.folder_format;
    add_files(part, {fetch_book_list(job, place, from)});
    return part;
  }
  if (entry.files.size() != 1) {
    throw ConfigError(entry.name + " has " + counted(entry.files.size(), "file"), from,
                      "give `from_file` a folder that holds them");
  }
  take_file(job, place, entry.files.front(), from, part);
  return part;
}

// Those of the entry, or of its folders, whose list is kept.
std::vector<CatalogueFile> files_of_entry(const FetchJob& job, const Place& place, const CatalogueEntry& entry) {
  if (entry.folders.empty()) return entry.files;
  std::vector<CatalogueFile> files = files_of(kept_listing(
      job, place, entry.folders, [&] { return entry.listed_as; },
      [&] {
        return SavedListing{entry.listed_as, json_of(ask_listing(job, entry))};
      }));
  job.progress.note(entry.name + " has " + counted(files.size(), "file"));
  return files;
}

}  // namespace

std::vector<CatalogueFile> read_book_list(const fs::path& list) {
  std::vector<CatalogueFile> books;
  LineReader lines(list, open_stream(list));
  std::string_view line;
  while (lines.next(line)) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const Json book = Json::parse(line, list.string() + ":" + std::to_string(lines.line_number()));
    const Json* url = book.find("txt");
    if (url == nullptr || url->kind() != Json::Kind::String || url->text().empty()) continue;
    const std::string path = path_of(url->text());
    const std::string name = path.substr(path.rfind('/') + 1);
    books.push_back({padded_number(lines.line_number(), 6) + "__" + name + (name.ends_with(".txt") ? "" : ".txt"),
                     {{url->text()}}});
  }
  return books;
}

std::vector<CatalogueFile> ask_listing(const FetchJob& job, const CatalogueEntry& entry) {
  Pages pages(job.options, job.policy, job.progress);
  for (const std::string& folder : entry.folders) {
    if (!may_ask(folder, job.options)) continue;
    auto files = pages.list(folder, entry.listing);
    if (!files || files->empty()) continue;
    for (CatalogueFile& file : *files) {
      for (const std::string& mirror : entry.folders) file.mirrors.push_back({mirror + file.name});
    }
    return *files;
  }
  throw_failed("no server lists the files " + entry.listing.names, {},
               "try again later, or give copies with `from_file`", pages.failed());
}

FetchedPart fetch_entry(const FetchJob& job, const CatalogueEntry& entry, const fs::path& folder,
                        const fs::path& from_file) {
  const Place place(folder, entry.name);
  if (!from_file.empty()) return take_local(job, place, entry, from_file);
  const std::vector<CatalogueFile> files = files_of_entry(job, place, entry);
  std::vector<CatalogueFile> needed;
  for (const CatalogueFile& file : files) {
    // Files unpacked from the same archive suffice.
    const bool is_archive = !file.members.empty();
    if (is_archive && is_unpacked(unpack_task(file, place.folder / file.name, place))) continue;
    const auto has_rows = [](const WantedMember& member) { return !member.rows.empty(); };
    if (is_archive && std::ranges::all_of(file.members, has_rows)) {
      fetch_archive_or_rows(job, place, file);
    } else {
      needed.push_back(file);
    }
  }
  fetch_files(job, place, needed);
  FetchedPart part{entry.format, {}};
  for (const CatalogueFile& file : files) {
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
