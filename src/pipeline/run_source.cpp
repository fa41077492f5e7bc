#include "pipeline/run_source.h"

#include <algorithm>
#include <set>
#include <utility>

#include "io/digest.h"
#include "pipeline/records/run_layout.h"
#include "pipeline/sequences/sequences.h"
#include "source/input/input_list.h"
#include "source/source_pieces.h"
#include "token/vocab_catalogue.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// The default language of Punkt parameters.
constexpr const char* kLanguage = "english";

// Runs all parts, so that one error lists everything missing.
class OfflineParts {
 public:
  template <class Part>
  void add(const Part& part) {
    try {
      part();
    } catch (const OfflineError& error) {
      missing_.insert(missing_.end(), error.missing().begin(), error.missing().end());
    }
  }
  void require_all() const {
    if (!missing_.empty()) throw OfflineError(missing_);
  }

 private:
  std::vector<FetchSubject> missing_;
};

std::vector<CorpusPart> fetch_parts(const RunSource& source, const fs::path& folder, PipelineOptions& pipeline,
                                    Progress& progress) {
  const FetchedDataset fetched = fetch_dataset(source.dataset, folder, source.fetch, progress);
  if (pipeline.corpus.name.empty()) pipeline.corpus.name = fetched.name;
  std::vector<CorpusPart> parts;
  for (const FetchedPart& part : fetched.parts) {
    CorpusPart& corpus = parts.emplace_back(CorpusPart{part.files, source.source, source.wiki});
    corpus.source.format = input_format(part.format);
    corpus.downloads = part.downloads;
  }
  return parts;
}

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

// The inputs of a run.
CorpusPart fetch_corpus(const RunSource& source, const fs::path& folder, Progress& progress) {
  const FetchedPart fetched = fetch_inputs(source.inputs, folder, source.fetch, progress, remote_choice(source.source));
  return part_of(fetched, source, progress);
}

// Those of an array job, listed.
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

// In a dataset, the reference also splits lines that are sentences. The program uses the reference's splitter, whose
// parameters it fetches; the library's default needs no data, and will do for sequences without sentences.
void choose_splitter(bool is_dataset, const std::vector<CorpusPart>& parts, PipelineOptions& pipeline) {
  SentenceOptions& sentences = pipeline.sentences;
  if (sentences.custom != nullptr) return;
  if (pipeline.sequences != nullptr && !needs_sentences(pipeline.sequences->options)) {
    sentences = resolve_sentences(parts, sentences);
    return;
  }
  if (is_dataset && sentences.rules == SentenceRules::kAuto) sentences.rules = SentenceRules::kPunkt;
  const bool is_open = sentences.rules == SentenceRules::kAuto;
  sentences = resolve_sentences(parts, sentences);
  if (is_open && sentences.rules == SentenceRules::kIcu) sentences.rules = SentenceRules::kPunkt;
}

void fetch_vocab_of(const FetchOptions& fetch, const fs::path& folder, PipelineOptions& pipeline, Progress& progress) {
  std::string& vocab = pipeline.vocabulary;
  if (is_vocab_here(vocab)) return;
  if (!can_fetch_vocab(vocab, fetch)) resolve_vocab(vocab);  // lists the known ones
  vocab = fetch_vocab(vocab, folder, fetch, progress);
}

void fetch_punkt_of(const FetchOptions& fetch, const fs::path& folder, PipelineOptions& pipeline, Progress& progress) {
  if (pipeline.sentences.rules != SentenceRules::kPunkt) return;
  std::string& punkt = pipeline.sentences.punkt;
  if (punkt.empty()) punkt = kLanguage;
  const bool is_language = punkt.find('/') == std::string::npos && !fs::exists(punkt);
  if (is_language) punkt = fetch_punkt(punkt, folder, fetch, progress);
}

using ReadInputs = CorpusPart (*)(const RunSource&, const fs::path&, Progress&);

std::vector<CorpusPart> resolve(const RunSource& source, const fs::path& folder, PipelineOptions& pipeline,
                                ReadInputs read_inputs, Progress& progress) {
  std::vector<CorpusPart> parts;
  OfflineParts needs;
  if (!source.dataset.empty()) {
    needs.add([&] { parts = fetch_parts(source, folder, pipeline, progress); });
  } else if (!source.inputs.empty()) {
    needs.add([&] { parts = {read_inputs(source, folder, progress)}; });
  }
  choose_splitter(!source.dataset.empty(), parts, pipeline);
  const FetchOptions models = fetch_options_of_models(source.fetch);
  needs.add([&] { fetch_vocab_of(models, folder, pipeline, progress); });
  needs.add([&] { fetch_punkt_of(models, folder, pipeline, progress); });
  needs.require_all();
  return parts;
}

}  // namespace

FetchOptions fetch_options_of_models(const FetchOptions& fetch) {
  FetchOptions options = fetch;
  options.from_file.clear();
  return options;
}

bool is_vocab_here(const std::string& name_or_path) {
  if (fs::exists(name_or_path)) return true;
  const std::vector<KnownVocab> known = known_vocabs();
  return std::any_of(known.begin(), known.end(), [&](const KnownVocab& entry) {
    return entry.is_called(name_or_path) && (entry.built_in || !entry.path.empty());
  });
}

std::vector<CorpusPart> resolve_run(const RunSource& source, const fs::path& folder, PipelineOptions& pipeline,
                                    Progress& progress) {
  return resolve(source, folder, pipeline, fetch_corpus, progress);
}

std::vector<CorpusPart> resolve_plan(const RunSource& source, const fs::path& folder, PipelineOptions& pipeline,
                                     Progress& progress) {
  return resolve(source, folder, pipeline, list_corpus, progress);
}

void fetch_files_of(const RunSource& source, const fs::path& folder, std::span<const fs::path> files,
                    Progress& progress) {
  const std::set<fs::path> wanted(files.begin(), files.end());
  RemoteChoice choice = remote_choice(source.source);
  choice.fetches = [&](const RemoteFile& file) { return wanted.contains(file.file); };
  fetch_inputs(source.inputs, folder, source.fetch, progress, choice);
}

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

}  // namespace bertprep
