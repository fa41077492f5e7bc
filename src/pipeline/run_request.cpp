#include "pipeline/run_request.h"

#include <algorithm>
#include <memory>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "bertprep/fetch/fetch.h"
#include "pipeline/array/array_plan.h"
#include "pipeline/corpus_name.h"
#include "pipeline/ignored_options.h"
#include "pipeline/records/dataset_vocab.h"
#include "pipeline/records/run_layout.h"
#include "token/vocab_catalogue.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// As given: the dataset, or the inputs as absolute paths and addresses.
std::vector<std::string> requested(const RunSource& source) {
  if (!source.dataset.empty()) return {source.dataset};
  std::vector<std::string> names;
  for (const fs::path& input : source.inputs) {
    names.push_back(is_address(input) ? shown_address(input) : fs::absolute(input).lexically_normal().string());
  }
  return names;
}

}  // namespace

bool RunRequest::are_inputs_here() const {
  return !is_dataset() && std::ranges::none_of(source.inputs, is_address);
}

std::string RunRequest::name() const {
  if (!pipeline.corpus.name.empty()) return pipeline.corpus.name;
  if (is_dataset()) return source.dataset;
  return source.inputs.empty() ? CorpusOptions().name : name_of_corpus(source.inputs);
}

fs::path RunRequest::download_folder() const {
  return work_folder(folders) / "download";
}

void RunRequest::check_source() const {
  const std::string& dataset = source.dataset;
  if (dataset.empty() && source.inputs.empty()) {
    throw ConfigError("nothing to read", {}, "give a dataset, such as wikitext-2, or files with `input`");
  }
  if (dataset.find('/') != std::string::npos) {
    throw ConfigError("'" + dataset + "' is a path, not the name of a dataset", {}, "give it with `input` " + dataset);
  }
  if (is_address(dataset)) {
    throw ConfigError("'" + dataset + "' is an input, not the name of a dataset", {},
                      "give it with `input` " + dataset);
  }
  if (!dataset.empty() && !source.inputs.empty()) {
    throw ConfigError("both a dataset ('" + dataset + "') and `input` are given", {}, "leave one out");
  }
  if (!dataset.empty() && source.source.format != SourceOptions().format) {
    throw ConfigError("`format` works only with `input`", {}, "a dataset has its own format");
  }
  for (const fs::path& input : source.inputs) {
    if (is_address(input)) check_address(input, source.fetch);
  }
  if (dataset.empty() && !source.fetch.from_file.empty()) {
    throw ConfigError("`from_file` works only with a dataset", {}, "give the dataset, or the file with `input`");
  }
}

void RunRequest::check(std::span<const GivenOption> given, Progress& progress) {
  bertprep::check(source.source);
  bertprep::check(source.wiki);
  bertprep::check(source.fetch);
  if (sequences.options.preset != SequencePreset::kNone || sequences.options.format != SequenceFormat::kAuto) {
    resolve_sequences(sequences.options);
    pipeline.sequences = std::make_shared<const SequenceRun>(sequences);
    pipeline.as_is = source.source.as_is = source.wiki.as_is = keeps_text(pipeline);
  }
  refuse_options_of_other_goal(given, pipeline.sequences != nullptr);
  PipelineOptions named = pipeline;
  named.corpus.name = name();
  named.validate_all();
  check_max_article(source.source.max_article, pipeline.work.memory);
  if (!is_wordpiece_goal()) return;
  adopt_vocab_text(given_text(given), pipeline.vocabulary, pipeline.tokenizer, progress);
  require_fitting_case(pipeline.vocabulary, pipeline.tokenizer);
  check_pieces(given, progress);
}

// Byte pairs are an error for rows, which require_fitting_case() tells.
bool RunRequest::is_wordpiece_goal() const {
  if (pipeline.tokenizer.custom != nullptr) return false;
  return pipeline.sequences == nullptr || !is_byte_pair_path(pipeline.vocabulary);
}

// One that is not on this machine yet is known by name.
void RunRequest::check_pieces(std::span<const GivenOption> given, Progress& progress) const {
  const std::string& vocabulary = pipeline.vocabulary;
  if (!is_wordpiece_goal() || !fs::exists(vocabulary)) return;
  require_reachable_pieces(given_text(given), vocabulary, load_vocab(vocabulary), pipeline.tokenizer, progress);
}

bool RunRequest::may_download() const {
  const SentenceOptions& sentences = pipeline.sentences;
  const bool names_punkt = sentences.rules == SentenceRules::kPunkt || sentences.rules == SentenceRules::kAuto;
  const bool has_punkt = sentences.punkt.find('/') != std::string::npos || fs::exists(sentences.punkt);
  const std::vector<KnownVocab> known = known_vocabs();
  const auto is_built_in = [&](const KnownVocab& vocab) {
    return vocab.is_called(pipeline.vocabulary) && vocab.built_in;
  };
  const bool has_vocab = fs::exists(pipeline.vocabulary) || std::ranges::any_of(known, is_built_in);
  return !are_inputs_here() || !has_vocab || (names_punkt && !has_punkt);
}

void RunRequest::refuse_ignored(std::span<const GivenOption> given, Progress& progress) const {
  if (!may_download()) refuse_download_options(given);
  if (!are_inputs_here() || source.inputs.empty()) return;
  const CorpusPart part{source.inputs, source.source, source.wiki};
  refuse_ignored_options(given, {&part, 1}, progress);
}

ArrayJob RunRequest::array_job() const {
  ArrayJob job{folders, name(), array_request(requested(source), source.source, source.wiki, pipeline)};
  job.fetch = [source = source, folder = download_folder()](std::span<const fs::path> files, Progress& progress) {
    fetch_files_of(source, folder, files, progress);
  };
  return job;
}

std::vector<CorpusPart> RunRequest::resolve_by(Resolve resolve_parts, std::span<const GivenOption> given,
                                               Progress& progress) {
  refuse_ignored(given, progress);
  if (!is_dataset()) pipeline.corpus.name = name();
  std::vector<CorpusPart> parts = resolve_parts(source, download_folder(), pipeline, progress);
  if (!are_inputs_here()) refuse_ignored_options(given, parts, progress);
  return parts;
}

std::vector<CorpusPart> RunRequest::resolve(std::span<const GivenOption> given, Progress& progress) {
  return resolve_by(resolve_run, given, progress);
}

std::vector<CorpusPart> RunRequest::resolve_plan(std::span<const GivenOption> given, Progress& progress) {
  return resolve_by(bertprep::resolve_plan, given, progress);
}

// Nothing unless all of it is on this machine, with the models.
std::vector<CorpusPart> RunRequest::find_downloaded(Progress& progress) {
  if (!fs::is_directory(download_folder())) return {};
  RunSource local = source;
  local.fetch.offline = true;
  PipelineOptions resolved = pipeline;
  try {
    std::vector<CorpusPart> parts = resolve_run(local, download_folder(), resolved, progress);
    pipeline = resolved;
    return parts;
  } catch (const OfflineError&) {
    return {};
  }
}

Plan RunRequest::plan(std::span<const GivenOption> given, Progress& progress) {
  if (are_inputs_here()) return plan_run(resolve(given, progress), folders, pipeline, progress);
  if (!is_dataset()) pipeline.corpus.name = name();
  if (const auto parts = find_downloaded(progress); !parts.empty()) return plan_run(parts, folders, pipeline, progress);
  const DatasetFacts facts = is_dataset()
                                 ? describe_dataset(source.dataset, source.fetch, progress)
                                 : describe_inputs(source.inputs, source.fetch, progress, remote_choice(source.source));
  if (pipeline.corpus.name.empty()) pipeline.corpus.name = facts.name;
  return plan_unseen_run({facts.download_bytes, facts.text_bytes, facts.articles}, folders, pipeline, progress);
}

}  // namespace bertprep
