#include "pipeline/run_source.h"

#include <algorithm>

#include "bertprep/base/error.h"
#include "pipeline/input_addresses.h"
#include "pipeline/sequences/sequences.h"
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

namespace {

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

std::vector<CorpusPart> resolve_run(const RunSource& source, const fs::path& folder, PipelineOptions& pipeline,
                                    Progress& progress) {
  return resolve(source, folder, pipeline, fetch_corpus, progress);
}

std::vector<CorpusPart> resolve_plan(const RunSource& source, const fs::path& folder, PipelineOptions& pipeline,
                                     Progress& progress) {
  return resolve(source, folder, pipeline, list_corpus, progress);
}

}  // namespace bertprep
