// The paths of a run's results, and the names of its folders.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "bertprep/instance/instance_set.h"
#include "bertprep/pipeline/build.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/pipeline/stages.h"

namespace bertprep {

// Names as in the reference, known to its users and trainers.

// hdf5_lower_case_1_seq_len_128_max_pred_20_masked_lm_prob_0.15_random_seed_12345_dupe_factor_5
std::string hdf5_folder_name(const InstanceOptions& options, bool lower_case);

// sharded_training_shards_256_test_shards_256_fraction_0.1
std::string sharded_folder_name(const ShardingOptions& options);

inline constexpr const char* kFormattedFolder = "formatted_one_article_per_line";
std::string formatted_file_name(const std::string& dataset);       // NAME_one_article_per_line.txt
std::string sentence_lines_file_name(const std::string& dataset);  // NAME_one_sentence_per_line.txt
std::string documents_file_name(const std::string& dataset);       // NAME_one_document_per_line.jsonl

std::string training_name(const std::string& dataset, std::size_t index);  // NAME_training_3
std::string test_name(const std::string& dataset, std::size_t index);      // NAME_test_3

// $BERT_PREP_WORKING_DIR, else bertprep-work next to `output_root`.
std::filesystem::path default_work_folder(const std::filesystem::path& output_root);

// Throws IoError, which says how it was chosen, if the default work folder is needed and can't be made or written.
void require_default_work(const BuildFolders& folders);
// Throws IoError if the output folder or the work folder can't be made or written, before anything is read.
void require_places(const BuildFolders& folders);

// Whether the formatted file has the sentences of the input, one per line.
bool holds_sentence_lines(const PipelineOptions& options);
// ".txt", or ".jsonl" for documents.
std::string text_shard_extension(const PipelineOptions& options);

struct RunLayout {
  std::filesystem::path work;
  std::filesystem::path extracted;    // the folder, used only if it is kept
  std::filesystem::path formatted;    // the file
  std::filesystem::path text_shards;  // the folder; empty while the numbers of shards are unknown
  std::vector<InstancePhase> phases;
  std::filesystem::path sequences;  // the folder of the set, for a run that makes one instead of phases
};

// Of all phases, or of the set.
std::vector<std::filesystem::path> result_folders(const RunLayout& layout);

RunLayout layout_of(const BuildFolders& folders, const PipelineOptions& options);

// How many shards a run makes; 0 while unknown.
std::size_t shard_count(const ShardingOptions& options);
// "NAME_training_3": training shards first.
std::string shard_name(const PipelineOptions& options, std::size_t shard);

// The text shards of a run, training first.
std::vector<std::filesystem::path> text_shard_paths(const std::filesystem::path& folder,
                                                    const PipelineOptions& options);

}  // namespace bertprep
