// The project's own goldens: the sample corpus against the output of a Python model of the reference.
#include <gtest/gtest.h>

#include "bertprep/source/open_source.h"
#include "bertprep/token/vocab_trainer.h"
#include "golden/pipeline/sample_run.h"
#include "golden/pipeline/shard_table.h"
#include "io/digest.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"
#include "token/vocab_catalogue.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;

std::map<std::string, std::string> read_texts(const fs::path& path) {
  std::map<std::string, std::string> digests;
  const std::vector<std::string> lines = read_lines(path);
  for (std::size_t i = 1; i < lines.size(); ++i) digests[split_tabs(lines[i])[0]] = split_tabs(lines[i])[2];
  return digests;
}

TEST(SampleGolden, HasTheTextAndTheValuesOfTheReference) {
  const std::vector<SampleRun> runs = sample_runs();
  ASSERT_EQ(runs.size(), 3U);
  for (const SampleRun& run : runs) {
    SCOPED_TRACE(run.name);
    const TempFolder folder;
    build_sample(run.options, folder.path());
    const auto texts = read_texts(sample_data() / run.name / "texts.tsv");
    const ShardTable shards = read_shard_table(sample_data() / run.name / "shards.tsv");
    ASSERT_EQ(texts.size(), 6U);
    ASSERT_EQ(shards.size(), 5 * run.options.phases().size());
    expect_files(folder / "work", texts);
    expect_shards(folder / "root", shards);
  }
}

TEST(SampleGolden, ReferenceLayoutHoldsTheSameValues) {
  const SampleRun run = sample_runs().back();
  PipelineOptions options = run.options;
  options.layout.chunks = ChunkLayout::kReference;
  const TempFolder folder;
  build_sample(options, folder.path());
  expect_shards(folder / "root", read_shard_table(sample_data() / run.name / "shards.tsv"));
}

TEST(SampleGolden, VocabularyIsTheOneLearntFromTheSample) {
  const std::vector<fs::path> inputs = {source_folder() / "samples" / "sample.wikitext"};
  const auto source = open_source(inputs, {.format = InputFormat::kWikitext}, {});
  VocabTrainerOptions options;
  options.vocab_size = 4000;
  VocabTrainer trainer(options);
  for (Document document; source->next(document);) trainer.add_text(document.text);
  std::string bytes;
  for (const std::string& piece : trainer.train()) bytes += piece + '\n';
  EXPECT_EQ(bytes, read_bytes(source_folder() / "vocab" / "sample-uncased-vocab.txt"));
}

TEST(SampleGolden, CatalogueDescribesTheVocabulary) {
  const fs::path file = source_folder() / "vocab" / "sample-uncased-vocab.txt";
  for (const KnownVocab& vocab : known_vocabs()) {
    if (vocab.name != "sample-uncased") continue;
    EXPECT_EQ(vocab.sha256, sha256_of_file(file));
    EXPECT_EQ(vocab.pieces, Vocab::load(file).size());
    return;
  }
  FAIL() << "the catalogue has no sample-uncased";
}

}  // namespace
}  // namespace bertprep::test
