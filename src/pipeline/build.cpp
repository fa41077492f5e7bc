// All stages in a row:
//
//   documents ─format─→ one article a line ─shard─→ text shards ─instances─→ shards of every phase
#include "bertprep/pipeline/build.h"

#include "bertprep/token/vocab.h"
#include "bertprep/token/vocab_catalogue.h"
#include "io/sha256.h"
#include "pipeline/folder_names.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Where everything of one run lies.
struct RunLayout {
  fs::path formatted;
  fs::path text_shards;
  std::vector<InstancePhase> phases;
};

bool keeps_lines(const PipelineOptions& options) {
  return options.sentences.sentences == "lines";
}

RunLayout layout_of(const BuildFolders& folders, const PipelineOptions& options) {
  const std::string& name = options.corpus.name;
  const fs::path work = folders.work.empty() ? default_work_folder(folders.output) : folders.work;
  RunLayout layout;
  layout.formatted =
      work / kFormattedFolder / (keeps_lines(options) ? sentence_lines_file_name(name) : formatted_file_name(name));
  layout.text_shards = work / sharded_folder_name(options.sharding) / name;
  for (const InstanceOptions& phase : options.phases()) {
    layout.phases.push_back({phase, folders.output / hdf5_folder_name(phase, options.tokenizer.lower_case) / name});
  }
  return layout;
}

std::vector<fs::path> text_shard_paths(const fs::path& folder, const PipelineOptions& options) {
  std::vector<fs::path> paths;
  for (std::int64_t i = 0; i < options.sharding.train_shards; ++i) {
    paths.push_back(folder / (training_name(options.corpus.name, static_cast<std::size_t>(i)) + ".txt"));
  }
  for (std::int64_t i = 0; i < options.sharding.test_shards; ++i) {
    paths.push_back(folder / (test_name(options.corpus.name, static_cast<std::size_t>(i)) + ".txt"));
  }
  return paths;
}

BuildReport run_from_formatted(StageReport formatted, const RunLayout& layout, const PipelineOptions& options,
                               Progress& progress) {
  BuildReport report;
  report.stages.push_back(std::move(formatted));
  report.stages.push_back(
      shard_articles({{layout.formatted}, options.corpus.name, layout.text_shards}, options, progress));

  InstanceTask instances;
  instances.text_shards = text_shard_paths(layout.text_shards, options);
  instances.name = options.corpus.name;
  instances.phases = layout.phases;
  instances.whole_dataset = true;
  instances.provenance = {{"formatted-sha256", sha256_of_file(layout.formatted)},
                          {"sentences", make_sentence_splitter(options.sentences)->identity()}};
  for (const FieldValue& field : recipe_of(options.sharding)) {
    instances.provenance.emplace_back(field.name, field.value);
  }
  report.stages.push_back(make_instances(instances, options, progress));

  report.rows = report.stages.back().rows;
  report.shards = report.stages.back().tasks_made + report.stages.back().tasks_found;
  for (const InstancePhase& phase : layout.phases) report.shard_folders.push_back(phase.folder);
  return report;
}

// What can be refused is refused before hours of work: options, vocabulary and sentence parameters.
void check_first(const PipelineOptions& options) {
  options.validate_all();
  Vocab::load(resolve_vocab(options.vocab.vocab));
  make_sentence_splitter(options.sentences);
}

}  // namespace

BuildReport build(DocumentSource& source, const BuildFolders& folders, const PipelineOptions& options,
                  Progress& progress) {
  check_first(options);
  const RunLayout layout = layout_of(folders, options);
  StageReport formatted = format_articles(source, layout.formatted, keeps_lines(options), progress);
  return run_from_formatted(std::move(formatted), layout, options, progress);
}

BuildReport build(DocumentSource& source, const BuildFolders& folders, const PipelineOptions& options) {
  Progress silent;
  return build(source, folders, options, silent);
}

BuildReport build(std::span<const fs::path> inputs, const SourceOptions& source, const BuildFolders& folders,
                  const PipelineOptions& options, Progress& progress) {
  check_first(options);
  const RunLayout layout = layout_of(folders, options);
  const FormatTask task{{inputs.begin(), inputs.end()}, source, layout.formatted, keeps_lines(options)};
  StageReport formatted = format_articles(task, options.work, progress);
  return run_from_formatted(std::move(formatted), layout, options, progress);
}

}  // namespace bertprep
