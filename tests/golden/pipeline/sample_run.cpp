#include "golden/pipeline/sample_run.h"

#include <fstream>
#include <map>

#include "base/fields.h"
#include "support/golden_data.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using Cells = std::map<std::string, std::string>;

PipelineOptions options_of(const Cells& cells) {
  PipelineOptions options;
  options.corpus.name = "sample";
  options.corpus.phase = static_cast<Phase>(choice_index("phase", cells.at("phase"), "1|2|both|custom"));
  options.vocabulary = source_folder() / "vocab" / "sample-uncased-vocab.txt";
  options.tokenizer.lower_case = cells.at("lower_case") == "1";
  options.sentences.punkt = sample_data() / "punkt";
  options.sharding.train_shards = std::stoll(cells.at("train_shards"));
  options.sharding.test_shards = std::stoll(cells.at("test_shards"));
  options.sharding.test_fraction = std::stod(cells.at("test_fraction"));
  if (options.corpus.phase == Phase::kCustom) {
    options.instances.seq_len = std::stoll(cells.at("seq_len"));
    options.instances.max_predictions = std::stoll(cells.at("max_predictions"));
  }
  options.instances.random_seed = cells.at("random_seed");
  options.instances.dupe_factor = std::stoll(cells.at("dupe_factor"));
  options.instances.masked_lm_prob = std::stod(cells.at("masked_lm_prob"));
  options.instances.short_seq_prob = std::stod(cells.at("short_seq_prob"));
  options.work.threads = 2;
  return options;
}

}  // namespace

fs::path sample_data() {
  return source_folder() / "tests" / "golden" / "data";
}

std::vector<SampleRun> sample_runs() {
  const std::vector<std::string> lines = read_lines(sample_data() / "runs.tsv");
  const std::vector<std::string> names = split_tabs(lines.at(0));
  std::vector<SampleRun> runs;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> values = split_tabs(lines[i]);
    Cells cells;
    for (std::size_t column = 0; column < names.size(); ++column) cells[names[column]] = values.at(column);
    runs.push_back({cells.at("run"), options_of(cells)});
  }
  return runs;
}

// The sample vocabulary has a record of its lower case; the same pieces with other line ends don't.
std::string with_other_line_ends(const std::string& vocabulary, const fs::path& folder) {
  const fs::path copy = folder / "pieces.txt";
  std::ofstream out(copy, std::ios::binary);
  for (const std::string& piece : read_lines(vocabulary)) out << piece << "\r\n";
  return copy.string();
}

BuildReport build_sample(const PipelineOptions& given, const fs::path& folder) {
  PipelineOptions options = given;
  if (!options.tokenizer.lower_case) options.vocabulary = with_other_line_ends(options.vocabulary, folder);
  const std::vector<fs::path> inputs = {source_folder() / "samples" / "sample.wikitext"};
  Progress silent;
  return build(std::vector<CorpusPart>{{inputs, {.format = InputFormat::kWikitext}}},
               {folder / "root", folder / "work"}, options, silent);
}

}  // namespace bertprep::test
