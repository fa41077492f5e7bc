#include "pipeline/records/run_layout.h"

#include <system_error>

#include "base/address.h"
#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/file_system.h"
#include "io/process.h"
#include "pipeline/records/output_place.h"

namespace bertprep {
namespace {

constexpr const char* kWorkVariable = "BERT_PREP_WORKING_DIR";

}  // namespace

std::string hdf5_folder_name(const InstanceOptions& options, bool lower_case) {
  return std::string("hdf5_lower_case_") + (lower_case ? "1" : "0") + "_seq_len_" + std::to_string(options.seq_len) +
         "_max_pred_" + std::to_string(options.max_predictions) + "_masked_lm_prob_" +
         shortest_decimal(options.masked_lm_prob) + "_random_seed_" + canonical_integer(options.random_seed) +
         "_dupe_factor_" + std::to_string(options.dupe_factor);
}

std::string sharded_folder_name(const ShardingOptions& options) {
  return "sharded_training_shards_" + std::to_string(options.train_shards) + "_test_shards_" +
         std::to_string(options.test_shards) + "_fraction_" + shortest_decimal(options.test_fraction);
}

std::string formatted_file_name(const std::string& dataset) {
  return dataset + "_one_article_per_line.txt";
}

std::string sentence_lines_file_name(const std::string& dataset) {
  return dataset + "_one_sentence_per_line.txt";
}

std::string documents_file_name(const std::string& dataset) {
  return dataset + "_one_document_per_line.jsonl";
}

std::string training_name(const std::string& dataset, std::size_t index) {
  return dataset + "_training_" + std::to_string(index);
}

std::string test_name(const std::string& dataset, std::size_t index) {
  return dataset + "_test_" + std::to_string(index);
}

std::filesystem::path default_work_folder(const std::filesystem::path& output_root) {
  if (const std::string folder = environment_variable(kWorkVariable); !folder.empty()) {
    refuse_address(folder, kWorkVariable);
    return folder;
  }
  const std::filesystem::path root = std::filesystem::absolute(output_root).lexically_normal();
  const std::filesystem::path parent = root.has_filename() ? root.parent_path() : root.parent_path().parent_path();
  return parent / "bertprep-work";
}

namespace fs = std::filesystem;

fs::path work_folder(const BuildFolders& folders) {
  refuse_address(folders.output.native(), "`output`");
  refuse_address(folders.work.native(), "`work`");
  return folders.work.empty() ? default_work_folder(folders.output) : folders.work;
}

void require_default_work(const BuildFolders& folders) {
  if (!folders.work.empty()) return;
  const fs::path work = work_folder(folders);
  std::error_code error;
  fs::path present = fs::absolute(work);
  while (!fs::exists(present, error) && present.has_relative_path()) present = present.parent_path();
  const std::error_code refusal = why_not_writable(present);
  if (!refusal) return;
  const bool is_named = !environment_variable(kWorkVariable).empty();
  throw IoError("can't be used as the work folder: " + refusal.message(), work,
                std::string("it is ") + (is_named ? std::string("that of $") + kWorkVariable : "beside `output`") +
                    " as no other was given; name one with `work`");
}

bool holds_sentence_lines(const PipelineOptions& options) {
  return options.sentences.rules == SentenceRules::kLines && !options.as_is;
}

std::string text_shard_extension(const PipelineOptions& options) {
  return options.as_is ? ".jsonl" : ".txt";
}

void require_places(const BuildFolders& folders) {
  require_default_work(folders);
  require_output_folder(work_folder(folders));
  require_output_folder(folders.output);
}

RunLayout layout_of(const BuildFolders& folders, const PipelineOptions& options) {
  const std::string& name = options.corpus.name;
  const fs::path work = work_folder(folders);
  const std::string formatted = options.as_is                   ? documents_file_name(name)
                                : holds_sentence_lines(options) ? sentence_lines_file_name(name)
                                                                : formatted_file_name(name);
  RunLayout layout;
  layout.work = work;
  layout.extracted = work / "extracted" / name;
  layout.formatted = work / kFormattedFolder / (formatted + ".zst");
  if (options.sharding.is_resolved()) {
    layout.text_shards = work / (sharded_folder_name(options.sharding) + (options.as_is ? "_as_is" : "")) / name;
  }
  for (const InstanceOptions& phase : options.phases()) {
    layout.phases.push_back({phase, folders.output / hdf5_folder_name(phase, options.tokenizer.lower_case) / name});
  }
  if (options.sequences != nullptr) layout.sequences = folders.output / name;
  return layout;
}

std::vector<fs::path> result_folders(const RunLayout& layout) {
  std::vector<fs::path> folders;
  for (const InstancePhase& phase : layout.phases) folders.push_back(phase.folder);
  if (!layout.sequences.empty()) folders.push_back(layout.sequences);
  return folders;
}

std::size_t shard_count(const ShardingOptions& options) {
  return options.is_resolved() ? static_cast<std::size_t>(options.train_shards + options.test_shards) : 0;
}

std::string shard_name(const PipelineOptions& options, std::size_t shard) {
  const auto training = static_cast<std::size_t>(options.sharding.train_shards);
  return shard < training ? training_name(options.corpus.name, shard)
                          : test_name(options.corpus.name, shard - training);
}

std::vector<fs::path> text_shard_paths(const fs::path& folder, const PipelineOptions& options) {
  std::vector<fs::path> paths;
  for (std::size_t shard = 0; shard < shard_count(options.sharding); ++shard) {
    paths.push_back(folder / (shard_name(options, shard) + text_shard_extension(options)));
  }
  return paths;
}

}  // namespace bertprep
