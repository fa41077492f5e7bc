#include "run/run_inputs.h"

#include <algorithm>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "console/standard_input.h"
#include "pipeline/input_addresses.h"
#include "pipeline/records/corpus_name.h"
#include "token/vocab_catalogue.h"

namespace bertprep::cli {

namespace fs = std::filesystem;

void RunInputs::add_options(CLI::App& app, OptionTable& options, Dash dash) {
  refuse_addresses(
      app.add_option("dataset", dataset_,
                     "a name that 'bertprep fetch --list' shows: wikitext-2, wikicorpus_en, bookswiki ..."))
      ->type_name("DATASET");
  check_input(app.add_option("-i,--input", inputs_, "files, folders or addresses, in order"), dash)
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
  if (is_address(dataset_)) {
    throw ConfigError("'" + dataset_ + "' is an input, not the name of a dataset", {},
                      "give it with --input " + dataset_);
  }
  if (!dataset_.empty() && !inputs_.empty()) {
    throw ConfigError("both a dataset ('" + dataset_ + "') and --input are given", {}, "leave one out");
  }
  if (!dataset_.empty() && source_.format != SourceOptions().format) {
    throw ConfigError("--format works only with --input", {}, "a dataset has its own format");
  }
  for (const fs::path& input : inputs_) {
    if (is_address(input)) check_address(input, fetch_);
  }
  if (dataset_.empty() && !fetch_.from_file.empty()) {
    throw ConfigError("--from-file works only with a dataset", {}, "give the dataset, or the file with --input");
  }
}

bool RunInputs::are_here() const {
  return !is_dataset() && std::ranges::none_of(inputs_, is_address);
}

std::vector<std::string> RunInputs::requested() const {
  if (is_dataset()) return {dataset_};
  std::vector<std::string> names;
  for (const fs::path& input : inputs_) {
    names.push_back(is_address(input) ? shown_address(input) : fs::absolute(input).lexically_normal().string());
  }
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
  return !are_here() || !has_vocab || (names_punkt && !has_punkt);
}

void RunInputs::resolve(const fs::path& work, PipelineOptions& pipeline, Progress& progress) {
  if (!is_dataset() && pipeline.corpus.name.empty()) pipeline.corpus.name = name();
  parts_ = resolve_run(run_source(), work / "download", pipeline, progress);
}

void RunInputs::resolve_plan(const fs::path& work, PipelineOptions& pipeline, Progress& progress) {
  if (!is_dataset() && pipeline.corpus.name.empty()) pipeline.corpus.name = name();
  parts_ = bertprep::resolve_plan(run_source(), work / "download", pipeline, progress);
}

void RunInputs::fetch(const fs::path& work, std::span<const fs::path> files, Progress& progress) const {
  fetch_files_of(run_source(), work / "download", files, progress);
}

void RunInputs::check_models(const PipelineOptions& pipeline, bool paths_count) const {
  const std::string& vocab = pipeline.vocabulary;
  const auto counts = [&](const std::string& name) { return paths_count || name.find('/') == std::string::npos; };
  if (counts(vocab) && !is_vocab_here(vocab) && !can_fetch_vocab(vocab, fetch_options_of_models(fetch_))) {
    resolve_vocab(vocab);  // lists the known ones
  }
  const SentenceOptions& sentences = pipeline.sentences;
  const bool is_folder = sentences.punkt.find('/') != std::string::npos;
  if (sentences.rules == SentenceRules::kIcu ||
      (sentences.rules == SentenceRules::kPunkt && is_folder && paths_count)) {
    make_sentence_splitter(sentences);
  }
}

}  // namespace bertprep::cli
