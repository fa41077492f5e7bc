#include "quality/traps.h"

#include <algorithm>
#include <iterator>

namespace bertprep {
namespace {

using enum TrainerKind;
using enum Severity;
using Effects = std::vector<TrapEffect>;

// The same for NVIDIA's, Habana's and Neuron's trainers, whose readers have a common origin.
Effects three(Severity severity, std::string_view text, Effects more = {}) {
  Effects effects{{kNvidia, severity, text}, {kHabana, severity, text}, {kNeuron, severity, text}};
  effects.insert(effects.end(), more.begin(), more.end());
  return effects;
}

Effects five(Severity severity, std::string_view text) {
  return three(severity, text, {{kHuggingFace, severity, text}, {kBerttrain, severity, text}});
}

Effects all(Severity severity, std::string_view text) {
  Effects effects = five(severity, text);
  for (const TrainerKind trainer : kMdsTrainers) effects.push_back({trainer, severity, text});
  for (const TrainerKind trainer : kMegatronTrainers) effects.push_back({trainer, severity, text});
  return effects;
}

constexpr std::string_view kMakeAgain =
    "make the rows again: bertprep run --input TEXT --vocab VOCAB -o ROOT, or remove these rows at their source";
constexpr std::string_view kMakeFileAgain =
    "bertprep verify {dir} names what else is damaged; fetch or make the file again";

std::vector<TrapFacts> make_traps() {
  return {
      {Trap::kOneFile, "one-file",
       three(kHang, "skips the last file of an epoch: with one file it runs forever without a step"),
       "bertprep reshard {dir} --shards 8 -o {dir}-resharded"},
      {Trap::kFewerFilesThanRanks,
       "fewer-files-than-ranks",
       {{kNvidia, kSilent, "several ranks train on the same file"},
        {kHabana, kSilent, "several ranks train on the same file"},
        {kNeuron, kCrash, "stops: at least one file for each worker"}},
       "bertprep reshard {dir} --shards {ranks} -o {dir}-resharded"},
      {Trap::kSideFile,
       "side-file",
       {{kNvidia, kCrashLate, "opens every file with 'training' in its name as HDF5, this one after hours"},
        {kHabana, kCrashLate, "opens every file with 'training' in its name as HDF5, this one after hours"}},
       "mkdir -p {dir}-aside && mv {files} {dir}-aside/"},
      {Trap::kUnequalRows,
       "unequal-rows",
       {{kNeuron, kHang, "workers with different numbers of batches wait forever at a checkpoint or exchange"},
        {kHabana, kRemark, "compiles again for each size of a last batch"}},
       "bertprep reshard {dir} --shards {count} --equal-rows drop -o {dir}-equal"},
      {Trap::kZeroPosition, "zero-position",
       three(kSilent,
             "takes the first 0 as the end of the positions: the row loses its predictions, and a batch "
             "without any has a loss of NaN",
             {{kBerttrain, kSilent, "takes the first 0 as the end of the positions"}}),
       kMakeAgain},
      {Trap::kMorePredictions, "more-predictions",
       three(kSilent, "cuts full rows at its maximum: predictions are lost"),
       "give the trainer the number of the shards: --max_predictions_per_seq {predictions} (Neuron: --max_pred_len)"},
      {Trap::kPadding, "padding", five(kSilent, "takes padding for content, or content for padding"), kMakeAgain},
      {Trap::kLabelShare, "label-share", five(kSilent, "trains a next-sentence head that learns nothing"), "{cause}"},
      {Trap::kOneDocument, "one-document",
       five(kSilent, "a 'random' next sentence comes from the same document, and may be the true one"),
       "give bertprep run a --train-shards of at most half the number of documents"},
      {Trap::kFlippedLabels, "flipped-labels",
       five(kSilent, "learns the opposite: a model that knows label 1 as random next is below chance"),
       "bertprep reshard {dir} --shards {count} --flip-labels -o {dir}-flipped"},
      {Trap::kVocabularyTooSmall, "vocabulary-too-small",
       all(kCrashLate, "looks up an id beyond its embeddings: index error, or an assertion on the device"),
       "set \"vocab_size\" in the model's configuration to that of the vocabulary the rows were made with, at least "
       "{largest}"},
      {Trap::kVocabularyTooLarge, "vocabulary-too-large", all(kSilent, "carries embeddings that no row uses"),
       "set \"vocab_size\" in the model's configuration to that of the vocabulary the rows were made with"},
      {Trap::kUnknownVocabulary,
       "unknown-vocabulary",
       {{kNvidia, kRemark, "its configurations have 30,522 pieces; an id beyond them is an assertion on the device"},
        {kHabana, kRemark, "its configurations have 30,522 pieces; an id beyond them is an assertion on the device"},
        {kNeuron, kCrashLate, "its model is bert-large-uncased, with 30,522 pieces", true}},
       "set \"vocab_size\" in the model's configuration to that of the vocabulary, and give doctor --vocab-size"},
      {Trap::kRowLengths, "row-lengths",
       three(kCrashLate, "mixes lengths: fails when it assembles a batch, or trains on both",
             {{kHuggingFace, kCrashLate, "takes the columns' widths from the first file: cast error at the other"},
              {kBerttrain, kCrash, "refuses the folder"}}),
       "mkdir -p {dir}-other && mv {files} {dir}-other/"},
      {Trap::kColumnWidths,
       "column-widths",
       {{kHuggingFace, kCrashLate, "takes the columns' widths from the first file: cast error at the other"},
        {kBerttrain, kCrash, "refuses the files"}},
       "mkdir -p {dir}-other && mv {files} {dir}-other/"},
      {Trap::kFirstDimensions, "first-dimensions",
       three(kCrashLate, "index error at the end of the file",
             {{kHuggingFace, kCrash, "refuses the file: ValueError"}, {kBerttrain, kCrash, "refuses the file"}}),
       kMakeFileAgain},
      {Trap::kDroppedColumns,
       "dropped-columns",
       {{kHuggingFace, kCrash, "its Trainer drops columns that the model doesn't name: no masks, no labels, no loss",
         true}},
       "rename and map the columns as docs/how-to/feed-other-trainers.md shows"},
      {Trap::kMappedColumns,
       "mapped-columns",
       {{kHuggingFace, kRemark, "its Trainer takes them by other names", true}},
       "rename and map the columns as docs/how-to/feed-other-trainers.md shows"},
      {Trap::kLabelValues, "label-values",
       three(kCrashLate, "silently ignores a label of -1; any other than 0 and 1 ends in an assertion",
             {{kHuggingFace, kCrashLate, "'Target is out of bounds': only -100 is ignored"},
              {kBerttrain, kCrash, "refuses the row"}}),
       "use -1 for NVIDIA's trainers and -100 for HuggingFace's, or make the rows again: bertprep run --input TEXT "
       "--vocab VOCAB -o ROOT"},
      {Trap::kDamagedFile, "damaged-file", five(kCrashLate, "can't open or read the file when it reaches it"),
       kMakeFileAgain},
      {Trap::kChangedFile, "changed-file",
       three(kSilent, "checks no digest: trains on the changed rows",
             {{kHuggingFace, kSilent, "checks no digest: trains on the changed rows"},
              {kBerttrain, kCrash, "refuses the file before the first step"}}),
       kMakeFileAgain},
      {Trap::kFolderLevel, "folder-level",
       three(kCrash, "does not search subfolders: finds no file",
             {{kHuggingFace, kSilent,
               "load_dataset() takes splits from words in the folders' names first, and all "
               "folders together"},
              {kBerttrain, kCrash, "refuses the folder, and names one below it"}}),
       "give the trainer the folder of one dataset in one phase: {below}"},
      {Trap::kDatasetsBelow, "datasets-below", five(kRemark, "takes one of them at a time"),
       "give the trainer the folder of one dataset in one phase: {below}"},
      {Trap::kFolderName,
       "folder-name",
       {{kHabana, kRemark, "its scripts look for another folder", true}},
       "set DATA_DIR in its script, or link the folder: ln -s {dir} {literal}"},
      {Trap::kTestNamedTraining,
       "test-named-training",
       {{kNvidia, kSilent, "trains on test rows: takes every file with 'training' in its name"},
        {kHabana, kSilent, "trains on test rows: takes every file with 'training' in its name"},
        {kHuggingFace, kSilent, "load_dataset() takes the file for both splits"}},
       "bertprep reshard {dir} --shards {count} --name NAME -o {dir}-renamed, with a NAME without 'training'"},
      {Trap::kSplitWords,
       "split-words",
       {{kHuggingFace, kSilent,
         "load_dataset() takes splits from words in names: it tests on training rows, or trains on test rows"}},
       "give it data_files with a pattern for each split, or names without such words: bertprep reshard {dir} "
       "--shards {count} --name NAME -o {dir}-renamed"},
      {Trap::kUnbalancedFiles,
       "unbalanced-files",
       {{kNvidia, kCrash, "asserts that the largest file has exactly one row more than the smallest"}},
       "LDDL's balancer: balance_dask_output --indir {dir} --num-shards NUMBER"},
      {Trap::kUndividedFiles,
       "undivided-files",
       {{kNvidia, kCrash, "stops: ranks must share the files evenly, and so must four workers of each"}},
       "LDDL's balancer: balance_dask_output --indir {dir} --num-shards {multiple}"},
      {Trap::kNoTrainingFile, "no-training-file",
       three(kCrash, "finds no file with 'training' in its name", {{kBerttrain, kCrash, "refuses the folder"}}),
       "bertprep reshard {dir} --shards 8 --name NAME -o {dir}-resharded names them NAME_training_0.hdf5 and so on"},
      {Trap::kOtherEnding,
       "other-ending",
       {{kNeuron, kSilent, "reads only *_training_*.hdf5: ignores these files"}},
       "bertprep reshard {dir} --shards {count} -o {dir}-resharded"},
      {Trap::kMissingColumns, "missing-columns",
       three(kCrash, "ends with a KeyError", {{kBerttrain, kCrash, "refuses the file"}}), kMakeFileAgain},
      {Trap::kUnreadableColumn, "unreadable-column",
       three(kRemark, "takes the values only as far as h5py finds them and turns them into whole numbers",
             {{kBerttrain, kCrash, "refuses the file"}}),
       kMakeFileAgain},
      {Trap::kLabelDimensions,
       "label-dimensions",
       {{kBerttrain, kCrash, "refuses the file", true}},
       "make next_sentence_labels one-dimensional"},
      {Trap::kNoRows, "no-rows", three(kCrashLate, "ends at this file: its sampler wants at least one row"),
       "bertprep reshard {dir} --shards {count} -o {dir}-resharded"},
      {Trap::kSameRows, "same-rows", all(kSilent, "trains on the same rows twice, or tests on rows it has trained on"),
       "remove one of the files"},
      {Trap::kMissingFiles, "missing-files",
       three(kSilent, "trains on the files that exist",
             {{kHuggingFace, kSilent, "trains on the files that exist"}, {kBerttrain, kCrash, "refuses the folder"}}),
       "run the same command again, which makes the missing files; or fetch them"},
      {Trap::kMaskGaps, "mask-gaps", five(kSilent, "hides tokens from the model, or shows it rows without any"),
       kMakeAgain},
      {Trap::kSegmentRange, "segment-range",
       five(kCrashLate, "looks up a segment that the model doesn't have: an assertion on the device"), kMakeAgain},
      {Trap::kPositionRange, "position-range",
       five(kCrashLate, "predicts outside of the row: index error, or a prediction of padding"), kMakeAgain},
      {Trap::kNoPredictions, "no-predictions",
       five(kSilent, "has nothing to predict in these rows; a batch of them has a loss of NaN"), kMakeAgain},
      {Trap::kVisibleLabels, "visible-labels", five(kSilent, "sees what it should predict, and learns to copy"),
       kMakeAgain},
  };
}

}  // namespace

std::string_view trainer_name(TrainerKind trainer) {
  constexpr std::array<std::string_view, kTrainerKinds.size() + kMdsTrainers.size() + kMegatronTrainers.size()> kNames{
      "nvidia",      "habana",   "neuron",    "huggingface",   "berttrain",   "modernbert", "modernbert-streaming",
      "bioclinical", "eurobert", "streaming", "megatron-bert", "megatron-gpt"};
  return kNames[static_cast<std::size_t>(trainer)];
}

std::string_view severity_name(Severity severity) {
  constexpr std::array<std::string_view, 5> kNames{"remark", "crash", "crash late", "silent", "hang"};
  return kNames[static_cast<std::size_t>(severity)];
}

const std::vector<TrapFacts>& all_traps() {
  static const std::vector<TrapFacts> kTraps = [] {
    std::vector<TrapFacts> traps = make_traps();
    std::ranges::move(make_sequence_traps(), std::back_inserter(traps));
    return traps;
  }();
  return kTraps;
}

const TrapFacts& facts_of(Trap trap) {
  const auto& traps = all_traps();
  return *std::find_if(traps.begin(), traps.end(), [&](const TrapFacts& facts) { return facts.trap == trap; });
}

}  // namespace bertprep
