#include "run_inputs.h"

#include <algorithm>

#include "bertprep/base/error.h"
#include "bertprep/token/vocab_catalogue.h"

namespace bertprep::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDatasetLanguage = "english";

bool is_known_but_missing(const std::string& vocab) {
  if (fs::exists(vocab)) return false;
  const std::vector<KnownVocab> known = known_vocabs();
  return std::any_of(known.begin(), known.end(), [&](const KnownVocab& entry) {
    return entry.name == vocab && entry.path.empty() && !entry.built_in;
  });
}

}  // namespace

void RunInputs::add_options(CLI::App& app, OptionTable& options) {
  app_ = &app;
  app.add_option(
         "dataset", dataset_,
         "wikitext-2, wikicorpus_en, bookswiki ... as 'bertprep fetch --list' shows them; downloaded if need be")
      ->type_name("DATASET");
  app.add_option("-i,--input", inputs_, "files or folders with the text, in this order")
      ->type_name("PATH")
      ->group(heading(OptionGroup::kInput));
  options.add(app, source_);
  options.add(app, wiki_);
  options.add(app, fetch_);
}

void RunInputs::check() const {
  if (dataset_.empty() && inputs_.empty()) {
    throw ConfigError("nothing to read", {}, "name a dataset, such as wikitext-2, or give files with --input");
  }
  if (!dataset_.empty() && !inputs_.empty()) {
    throw ConfigError("both a dataset ('" + dataset_ + "') and --input are given", {}, "leave one of them out");
  }
  if (!dataset_.empty() && app_->get_option("--format")->count() != 0) {
    throw ConfigError("--format counts with --input only", {}, "a dataset has its own format");
  }
}

std::vector<std::string> RunInputs::asked() const {
  if (is_dataset()) return {dataset_};
  std::vector<std::string> names;
  for (const fs::path& input : inputs_) names.push_back(fs::absolute(input).lexically_normal().string());
  return names;
}

void RunInputs::resolve(const fs::path& work, PipelineOptions& pipeline, Progress& progress) {
  if (is_dataset()) {
    fetch_parts(work / "download", pipeline, progress);
  } else {
    parts_ = {{inputs_, source_, wiki_}};
  }
  fetch_models(work / "download", pipeline, progress);
}

void RunInputs::fetch_parts(const fs::path& folder, PipelineOptions& pipeline, Progress& progress) {
  const FetchedDataset fetched = fetch_dataset(dataset_, folder, fetch_, progress);
  if (app_->get_option("--name")->count() == 0) pipeline.corpus.name = fetched.name;
  for (const FetchedPart& part : fetched.parts) {
    CorpusPart& corpus = parts_.emplace_back(CorpusPart{part.files, source_, wiki_});
    corpus.source.format = part.format;
    corpus.downloads = part.downloads;
  }
}

// A dataset brings the reference's models with it; for other text they are downloaded when they are named.
void RunInputs::fetch_models(const fs::path& folder, PipelineOptions& pipeline, Progress& progress) const {
  const bool vocab_is_named = app_->get_option("--vocab")->count() != 0;
  if ((is_dataset() || vocab_is_named) && is_known_but_missing(pipeline.vocab.vocab)) {
    pipeline.vocab.vocab = fetch_vocab(pipeline.vocab.vocab, folder, fetch_, progress);
  }
  std::string& punkt = pipeline.sentences.punkt;
  if (pipeline.sentences.sentences != "punkt") return;
  if (punkt.empty() && is_dataset()) punkt = kDatasetLanguage;
  const bool is_language = !punkt.empty() && punkt.find('/') == std::string::npos && !fs::exists(punkt);
  if (is_language) punkt = fetch_punkt(punkt, folder, fetch_, progress);
}

}  // namespace bertprep::cli
