// A whole run on a few generated articles, in some milliseconds.
#pragma once

#include <filesystem>
#include <string>

#include "bertprep/pipeline/build.h"
#include "pipeline/goal/run_plan.h"
#include "support/temp_folder.h"

namespace bertprep::test {

inline std::string small_articles(int articles) {
  std::string text;
  for (int i = 0; i < articles; ++i) {
    for (int k = 0; k <= i % 5; ++k) {
      text +=
          "The article number " + std::to_string(i) + " has a sentence. It is of the kind " + std::to_string(k) + ". ";
    }
    text.back() = '\n';
  }
  return text;
}

// 3 training shards and 2 test shards of 128 tokens; the vocabulary is written into `folder`.
inline PipelineOptions small_options(const TempFolder& folder) {
  PipelineOptions options;
  options.corpus.name = "small";
  options.vocabulary = folder.write(
      "vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\narticle\nnumber\nhas\na\nsentence\n.\nit\nis\nof\nkind\n");
  options.sentences.rules = SentenceRules::kIcu;
  options.sharding.train_shards = 3;
  options.sharding.test_shards = 2;
  options.work.threads = 1;
  return options;
}

inline BuildFolders small_folders(const TempFolder& folder) {
  return {folder / "root", folder / "work"};
}

inline std::vector<CorpusPart> small_corpus(const TempFolder& folder, int articles = 40) {
  CorpusPart part{.inputs = {folder.write("articles.txt", small_articles(articles))}};
  part.source.format = InputFormat::kArticles;
  return {part};
}

inline RunDescription description_of(const BuildFolders& folders, const PipelineOptions& options) {
  RunPlan run = RunPlan::recorded({}, folders, options);
  run.load_models();
  return run.description();
}

inline BuildReport small_build(const TempFolder& folder, const PipelineOptions& options) {
  Progress silent;
  return build(small_corpus(folder), small_folders(folder), options, silent);
}

}  // namespace bertprep::test
