#include "golden/pipeline/reference_run.h"

namespace bertprep::test {

PipelineOptions ReferenceRun::reference_options() const {
  PipelineOptions options;
  options.corpus.name = "wikitext-2";
  options.vocabulary = shared() / "models" / "vocab" / "bert-large-uncased-vocab.txt";
  options.sentences.punkt = shared() / "models" / "punkt_tab" / "english";
  options.work.threads = 2;
  return options;
}

StageReport ReferenceRun::shard(const std::vector<std::filesystem::path>& inputs, const PipelineOptions& options,
                                const std::filesystem::path& folder) const {
  Progress silent;
  return shard_articles({inputs, options.corpus.name, folder}, options, silent);
}

StageReport ReferenceRun::instances(const std::vector<std::filesystem::path>& text_shards,
                                    const PipelineOptions& options) const {
  InstanceTask task;
  task.text_shards = text_shards;
  task.name = options.corpus.name;
  for (const InstanceOptions& phase : options.phases()) {
    task.phases.push_back({phase, root() / std::to_string(phase.seq_len)});
  }
  Progress silent;
  return make_instances(task, options, silent);
}

}  // namespace bertprep::test
