#include "pipeline/input_addresses.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "pipeline/records/run_layout.h"
#include "source/input/input_list.h"
#include "source/source_pieces.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Of each address, the digest of those of its files.
std::vector<ManifestSource> sources_of(const FetchedPart& fetched) {
  std::vector<ManifestSource> sources;
  for (const RemoteInput& input : fetched.remote) {
    ManifestSource& source = sources.emplace_back(ManifestSource{input.address, input.files.size()});
    for (const RemoteFile& file : input.files) {
      source.bytes += file.bytes;
      source.sha256 += file.sha256 + "\n";
    }
    source.sha256 = digest_of(DigestKind::kSha256, source.sha256);
  }
  return sources;
}

// Nothing of an empty file, or a bad one.
std::optional<InputFormat> format_of(const fs::path& file, const SourceOptions& options) try {
  return resolve_format({&file, 1}, options);
} catch (const FormatError&) {
  return std::nullopt;
}

CorpusPart part_of(const FetchedPart& fetched, const RunSource& source, Progress& progress) {
  for (const RecordRemark& remark : fetched.left_out) progress.remarked(remark);
  CorpusPart part{fetched.files, source.source, source.wiki, fetched.downloads};
  part.sources = sources_of(fetched);
  return part;
}

}  // namespace

fs::path download_folder() {
  const fs::path usual = "bertprep-work";
  const fs::path work = default_work_folder("dataset");
  return (work == fs::absolute(usual) ? usual : work) / "download";
}

RemoteChoice remote_choice(const SourceOptions& source) {
  const NameChoice names{.include = source.include, .exclude = source.exclude};
  return {.why_left_out = [names](std::string_view path) { return why_left_out(path, names); }};
}

void fetch_addresses(std::vector<fs::path>& inputs, const SourceOptions& source, const FetchOptions& fetch,
                     std::span<const GivenOption> given, Progress& progress) {
  if (std::ranges::none_of(inputs, is_address)) return refuse_download_options(given);
  check(fetch);
  const FetchedPart fetched = fetch_inputs(inputs, download_folder(), fetch, progress, remote_choice(source));
  for (const RecordRemark& remark : fetched.left_out) progress.remarked(remark);
  inputs = fetched.files;
}

CorpusPart fetch_corpus(const RunSource& source, const fs::path& folder, Progress& progress) {
  const FetchedPart fetched = fetch_inputs(source.inputs, folder, source.fetch, progress, remote_choice(source.source));
  return part_of(fetched, source, progress);
}

CorpusPart list_corpus(const RunSource& source, const fs::path& folder, Progress& progress) {
  if (!std::ranges::all_of(source.inputs, is_address)) return fetch_corpus(source, folder, progress);
  RemoteChoice choice = remote_choice(source.source);
  bool is_wanted = source.source.format == InputFormat::kAuto;
  choice.fetches = [&](const RemoteFile&) { return std::exchange(is_wanted, false); };
  const FetchedPart fetched = fetch_inputs(source.inputs, folder, source.fetch, progress, choice);
  std::vector<UnfetchedFile> files;
  std::set<std::string> endings;
  for (const RemoteInput& input : fetched.remote) {
    for (const RemoteFile& file : input.files) {
      files.push_back({file.file, file.input, file.bytes});
      endings.insert(fs::path(without_compression_ending(file.file.native())).extension());
    }
  }
  // One tells how all are read.
  if (files.size() < 2 || endings.size() != 1) return fetch_corpus(source, folder, progress);
  const auto format = format_of(files.front().file, source.source);
  if (!format || !is_of_records(*format)) return fetch_corpus(source, folder, progress);
  CorpusPart part = part_of(fetched, source, progress);
  part.source.format = *format;
  part.unfetched = std::move(files);
  return part;
}

void fetch_files_of(const RunSource& source, const fs::path& folder, std::span<const fs::path> files,
                    Progress& progress) {
  const std::set<fs::path> wanted(files.begin(), files.end());
  RemoteChoice choice = remote_choice(source.source);
  choice.fetches = [&](const RemoteFile& file) { return wanted.contains(file.file); };
  fetch_inputs(source.inputs, folder, source.fetch, progress, choice);
}

}  // namespace bertprep
