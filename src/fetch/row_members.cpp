#include "fetch/row_members.h"

#include <algorithm>
#include <memory>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "fetch/download.h"
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

}  // namespace

bool have_rows(const CatalogueFile& archive) {
  const auto has = [](const WantedMember& member) { return !member.rows.empty(); };
  return !archive.members.empty() && std::ranges::all_of(archive.members, has);
}

void make_members_of_rows(const FetchJob& job, const Place& place, const CatalogueFile& archive) {
  place.make();
  const ProcessLock lock(place.state / (archive.name + ".unpack"), job.progress);
  for (const WantedMember& member : archive.members) make_member(job, place, archive, member);
  sync_folder(place.folder);
}

}  // namespace bertprep
