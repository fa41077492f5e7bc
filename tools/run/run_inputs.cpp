#include "run/run_inputs.h"

#include <algorithm>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "console/standard_input.h"
#include "pipeline/records/corpus_name.h"
#include "token/vocab_catalogue.h"

namespace bertprep::cli {
namespace {

namespace fs = std::filesystem;

// The default language of Punkt parameters.
constexpr const char* kLanguage = "english";

bool is_on_this_machine(const std::string& vocab) {
  if (fs::exists(vocab)) return true;
  const std::vector<KnownVocab> known = known_vocabs();
  return std::any_of(known.begin(), known.end(), [&](const KnownVocab& entry) {
    return entry.is_called(vocab) && (entry.built_in || !entry.path.empty());
  });
}

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

}  // namespace

void RunInputs::add_options(CLI::App& app, OptionTable& options, Dash dash) {
  refuse_addresses(
      app.add_option("dataset", dataset_,
                     "a name that 'bertprep fetch --list' shows: wikitext-2, wikicorpus_en, bookswiki ..."))
      ->type_name("DATASET");
  check_path(app.add_option("-i,--input", inputs_, "files or folders with the text, in order"), dash)
      ->type_name("PATH")
      ->group(heading(OptionGroup::kInput));
  options.add(app, source_);
  options.add(app, wiki_);
  options.add(app, fetch_);
}

void RunInputs::check() const {
  bertprep::check(source_);
  bertprep::check(wiki_);
  bertprep::check(fetch_);
  if (dataset_.empty() && inputs_.empty()) {
    throw ConfigError("nothing to read", {}, "give a dataset, such as wikitext-2, or files with --input");
  }
  if (dataset_.find('/') != std::string::npos) {
    throw ConfigError("'" + dataset_ + "' is a path, not the name of a dataset", {},
                      "give it with --input " + dataset_);
  }
  if (!dataset_.empty() && !inputs_.empty()) {
    throw ConfigError("both a dataset ('" + dataset_ + "') and --input are given", {}, "leave one out");
  }
  if (!dataset_.empty() && source_.format != SourceOptions().format) {
    throw ConfigError("--format works only with --input", {}, "a dataset has its own format");
  }
  if (dataset_.empty() && !fetch_.from_file.empty()) {
    throw ConfigError("--from-file works only with a dataset", {}, "give the dataset, or the file with --input");
  }
}

std::vector<std::string> RunInputs::requested() const {
  if (is_dataset()) return {dataset_};
  std::vector<std::string> names;
  for (const fs::path& input : inputs_) names.push_back(fs::absolute(input).lexically_normal().string());
  return names;
}

std::string RunInputs::name() const {
  std::vector<fs::path> inputs = inputs_;
  std::ranges::replace(inputs, fs::path(kDash), fs::path(kStandardInput));
  return name_of_corpus(inputs);
}

bool RunInputs::may_download(const PipelineOptions& pipeline) const {
  const SentenceOptions& sentences = pipeline.sentences;
  const bool names_punkt = sentences.rules == SentenceRules::kPunkt || sentences.rules == SentenceRules::kAuto;
  const bool has_punkt = sentences.punkt.find('/') != std::string::npos || fs::exists(sentences.punkt);
  const std::vector<KnownVocab> known = known_vocabs();
  const bool has_vocab = fs::exists(pipeline.vocabulary) || std::ranges::any_of(known, [&](const KnownVocab& vocab) {
                           return vocab.is_called(pipeline.vocabulary) && vocab.built_in;
                         });
  return is_dataset() || !has_vocab || (names_punkt && !has_punkt);
}

void RunInputs::resolve(const fs::path& work, PipelineOptions& pipeline, Progress& progress) {
  const fs::path folder = work / "download";
  OfflineParts parts;
  if (is_dataset()) {
    parts.add([&] { fetch_parts(folder, pipeline, progress); });
  } else {
    parts_ = named_parts();
    if (pipeline.corpus.name.empty()) pipeline.corpus.name = name();
  }
  choose_splitter(pipeline);
  parts.add([&] { fetch_vocab_of(folder, pipeline, progress); });
  parts.add([&] { fetch_punkt_of(folder, pipeline, progress); });
  parts.require_all();
}

void RunInputs::fetch_parts(const fs::path& folder, PipelineOptions& pipeline, Progress& progress) {
  const FetchedDataset fetched = fetch_dataset(dataset_, folder, fetch_, progress);
  if (pipeline.corpus.name.empty()) pipeline.corpus.name = fetched.name;
  for (const FetchedPart& part : fetched.parts) {
    CorpusPart& corpus = parts_.emplace_back(CorpusPart{part.files, source_, wiki_});
    corpus.source.format = input_format(part.format);
    corpus.downloads = part.downloads;
  }
}

void RunInputs::check_models(const PipelineOptions& pipeline, bool paths_count) const {
  const std::string& vocab = pipeline.vocabulary;
  const auto counts = [&](const std::string& name) { return paths_count || name.find('/') == std::string::npos; };
  if (counts(vocab) && !is_on_this_machine(vocab) && !can_fetch_vocab(vocab, fetch_options_of_models())) {
    resolve_vocab(vocab);  // lists the known ones
  }
  const SentenceOptions& sentences = pipeline.sentences;
  const bool is_folder = sentences.punkt.find('/') != std::string::npos;
  if (sentences.rules == SentenceRules::kIcu ||
      (sentences.rules == SentenceRules::kPunkt && is_folder && paths_count)) {
    make_sentence_splitter(sentences);
  }
}

// In a dataset, the reference also splits lines that are sentences. The program uses the reference's splitter, whose
// parameters it fetches; the library's default needs no data, and will do for sequences without sentences.
void RunInputs::choose_splitter(PipelineOptions& pipeline) const {
  SentenceOptions& sentences = pipeline.sentences;
  if (pipeline.sequences != nullptr && !needs_sentences(pipeline.sequences->options)) {
    sentences = resolve_sentences(parts_, sentences);
    return;
  }
  if (is_dataset() && sentences.rules == SentenceRules::kAuto) sentences.rules = SentenceRules::kPunkt;
  const bool is_open = sentences.rules == SentenceRules::kAuto;
  sentences = resolve_sentences(parts_, sentences);
  if (is_open && sentences.rules == SentenceRules::kIcu) sentences.rules = SentenceRules::kPunkt;
}

// --from-file applies to the dataset.
FetchOptions RunInputs::fetch_options_of_models() const {
  FetchOptions options = fetch_;
  options.from_file.clear();
  return options;
}

void RunInputs::fetch_vocab_of(const fs::path& folder, PipelineOptions& pipeline, Progress& progress) const {
  std::string& vocab = pipeline.vocabulary;
  const FetchOptions options = fetch_options_of_models();
  if (is_on_this_machine(vocab)) return;
  if (!can_fetch_vocab(vocab, options)) resolve_vocab(vocab);  // lists the known ones
  vocab = fetch_vocab(vocab, folder, options, progress);
}

void RunInputs::fetch_punkt_of(const fs::path& folder, PipelineOptions& pipeline, Progress& progress) const {
  if (pipeline.sentences.rules != SentenceRules::kPunkt) return;
  std::string& punkt = pipeline.sentences.punkt;
  if (punkt.empty()) punkt = kLanguage;
  const bool is_language = punkt.find('/') == std::string::npos && !fs::exists(punkt);
  if (is_language) punkt = fetch_punkt(punkt, folder, fetch_options_of_models(), progress);
}

}  // namespace bertprep::cli
