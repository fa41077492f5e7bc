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

using enum TrainerKind;
using enum Severity;
using Effects = std::vector<TrapEffect>;

Effects operator+(Effects left, const Effects& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

// ModernBERT's own reader, NoStreamingDataset.
Effects local(Severity severity, std::string_view text) {
  return {{kModernbert, severity, text}, {kBioclinical, severity, text}};
}

// The readers based on MosaicML's StreamingDataset.
Effects streamed(Severity severity, std::string_view text) {
  return {{kModernbertStreaming, severity, text}, {kEurobert, severity, text}, {kStreaming, severity, text}};
}

Effects mds(Severity severity, std::string_view text) {
  return local(severity, text) + streamed(severity, text);
}

Effects megatron(Severity severity, std::string_view text) {
  return {{kMegatronBert, severity, text}, {kMegatronGpt, severity, text}};
}

Effects hdf5(Severity severity, std::string_view text) {
  Effects effects;
  for (const TrainerKind trainer : kTrainerKinds) effects.push_back({trainer, severity, text});
  return effects;
}

constexpr std::string_view kMakeSet =
    "fetch it again, or make it from its text: bertprep sequences TEXT --vocab VOCAB -o NEW with the options of this "
    "set";
constexpr std::string_view kReindex = "bertprep reindex {dir}";

std::vector<TrapFacts> traps_of_formats() {
  return {
      {Trap::kOtherFormat, "other-format",
       hdf5(kCrash, "reads HDF5 files with 'training' in their names") +
           mds(kCrash, "reads an MDS set: an index.json and its shards") +
           megatron(kCrash, "reads PREFIX.bin and PREFIX.idx"),
       "make a set for this trainer: {command}"},
      {Trap::kSplitName, "split-name", mds(kCrash, "looks for the folder of the split by its name: finds none"),
       "mv {from} {to}; or write the other name into the configuration"},
      {Trap::kNoSamples, "no-samples",
       local(kCrash, "index error on an empty set") + streamed(kCrash, "'Stream contains no samples'") +
           megatron(kCrash, "can't map an empty file, or finds no sample"),
       "give the text that was meant: bertprep sequences TEXT --vocab VOCAB -o NEW refuses to write such a set"},
      {Trap::kDamagedSample, "damaged-sample",
       mds(kCrashLate, "'cannot reshape array' or another error when this sample is drawn"), kMakeSet},
      {Trap::kNegativeIds, "negative-ids",
       mds(kCrashLate, "index error, or an assertion on the device") +
           megatron(kCrashLate, "index error, or an assertion on the device"),
       kMakeSet},
      {Trap::kNarrowType, "narrow-type",
       mds(kSilent, "trains on wrong pieces: ids from 65,536 on were stored without their upper bits") +
           megatron(kSilent, "trains on wrong pieces: ids from 65,536 on were stored without their upper bits"),
       "make it from its text: bertprep sequences TEXT --vocab VOCAB --dtype int32 -o NEW"},
      {Trap::kNoLineBreaks, "no-line-breaks",
       Effects{{kHuggingFace, kRemark, "never sees a line break: code, lists and paragraphs are foreign to it"}} +
           mds(kRemark, "never sees a line break: code, lists and paragraphs are foreign to it") +
           megatron(kRemark, "never sees a line break: code, lists and paragraphs are foreign to it"),
       "make it from documents: bertprep sequences DOCUMENTS --vocab VOCAB --text as-is -o NEW"},
      {Trap::kOtherDigest, "other-digest",
       mds(kSilent, "checks no digest in a local folder: trains on the changed bytes") +
           megatron(kSilent, "checks no digest: trains on the changed bytes"),
       kMakeSet},
  };
}

std::vector<TrapFacts> traps_of_mds_files() {
  return {
      {Trap::kBrokenIndex, "broken-index",
       local(kCrash, "JSONDecodeError or KeyError") +
           streamed(kHang, "one rank ends with an error, the others wait for it until their timeout") +
           megatron(kCrash, "can't open the set"),
       "{fix}"},
      {Trap::kNoIndex, "no-index",
       local(kCrash, "ends: index.json is missing") + streamed(kCrash, "ends: index.json is missing"), "{fix}"},
      {Trap::kMissingShards, "missing-shards",
       local(kCrash, "asserts that all files of the index exist") +
           streamed(kCrashLate, "'Check if the shard file exists', or 404, when it reaches the shard"),
       "{fix}"},
      {Trap::kUnlistedShards, "unlisted-shards", mds(kSilent, "reads what the index names: trains without the rest"),
       kReindex},
      {Trap::kShardTwice, "shard-twice", mds(kSilent, "reads the shard twice in each epoch, and another one never"),
       kReindex},
      {Trap::kDamagedShard, "damaged-shard",
       mds(kCrashLate, "'cannot reshape array' or an index error when a sample after the cut is drawn"), kMakeSet},
      {Trap::kSampleCount, "sample-count",
       mds(kCrashLate,
           "index error when a sample is drawn that the shard hasn't; leaves out those that the index "
           "hasn't"),
       kReindex},
      {Trap::kOtherColumns, "other-columns",
       mds(kCrashLate, "decodes the shard as the index says, which its own header contradicts"), kReindex},
      {Trap::kOnlyCompressed, "only-compressed",
       local(kCrash, "asserts that the raw files exist: it does not decompress") +
           streamed(kHang, "with only a local folder it waits forever, or its ranks decompress over each other"),
       "{unpack}"},
      {Trap::kOnlyRaw, "only-raw",
       streamed(kCrash, "'Check if the shard file exists': the index says that shards are compressed"), kReindex},
      {Trap::kCacheLimit, "cache-limit",
       streamed(kHang, "an error at the start, or in older versions a deadlock: room for fewer than four shards"),
       "make smaller shards: bertprep sequences TEXT --vocab VOCAB --size-limit {limit} -o NEW"},
      {Trap::kFewSamples, "few-samples",
       streamed(kSilent,
                "repeats samples to give each canonical node and rank as many: epochs are longer than the set"),
       "set num_canonical_nodes to 1 in the configuration, or give it more text"},
      {Trap::kUnevenEnd, "uneven-end",
       streamed(kRemark, "ranks end an epoch unevenly: older versions hang at the second"),
       "set drop_last: true in the configuration"},
  };
}

std::vector<TrapFacts> traps_of_mds_samples() {
  return {
      {Trap::kIdType,
       "id-type",
       {{kModernbertStreaming, kSilent, "reads the bytes as int64: several ids become one huge id"}},
       "bertprep sequences TEXT --vocab VOCAB --for modernbert-streaming -o NEW, or set streaming: false"},
      {Trap::kColumnName,
       "column-name",
       {{kModernbert, kCrash, "looks for input_ids or text: the first batch fails in the collator"},
        {kBioclinical, kCrash, "looks for input_ids or text: the first batch fails in the collator"},
        {kModernbertStreaming, kCrash, "RuntimeError: samples have neither text nor input_ids"},
        {kEurobert, kCrash, "KeyError: it reads tokens"}},
       "bertprep sequences TEXT --vocab VOCAB --for {trainer} -o NEW"},
      {Trap::kColumnEncoding, "column-encoding",
       local(kCrash, "drops columns that are not arrays: KeyError") +
           Effects{{kModernbertStreaming, kCrash, "pads and cuts no row: batches of unequal lengths"},
                   {kEurobert, kCrash, "can't make a tensor of the column"}},
       "bertprep sequences TEXT --vocab VOCAB --for {trainer} -o NEW"},
      {Trap::kUnsafeColumn, "unsafe-column",
       local(kSilent, "loads pickles: whoever made the set runs code on your machine") +
           streamed(kCrash, "refuses the column's encoding"),
       "drop the column: bertprep sequences TEXT --vocab VOCAB -o NEW"},
      {Trap::kTextAndIds,
       "text-and-ids",
       {{kModernbertStreaming, kSilent, "tokenizes the text again and ignores the ids"},
        {kModernbert, kRemark, "takes the ids and ignores the text"},
        {kBioclinical, kRemark, "takes the ids and ignores the text"}},
       "drop the text: bertprep sequences TEXT --vocab VOCAB -o NEW"},
      {Trap::kMixedColumns, "mixed-columns", mds(kCrashLate, "can't put rows of both kinds into one batch"),
       "mkdir -p {dir}-other && mv {files} {dir}-other/ && bertprep reindex {dir}"},
      {Trap::kLongRows, "long-rows",
       local(kSilent, "cuts rows at max_seq_len: their tails and [SEP] are lost") +
           Effects{{kModernbertStreaming, kSilent, "cuts rows at max_seq_len: their tails and [SEP] are lost"}},
       "bertprep sequences TEXT --vocab VOCAB --max-tokens {limit} -o NEW"},
      {Trap::kRaggedRows,
       "ragged-rows",
       {{kEurobert, kCrash, "can't make an array of rows of unequal length, unless var_len: true"}},
       "set var_len: true, or make blocks: bertprep sequences TEXT --vocab VOCAB --for eurobert -o NEW"},
      {Trap::kSpecialIds, "special-ids",
       mds(kSilent, "trains on rows without [CLS] and [SEP], or with wrong ids") +
           Effects{{kMegatronBert, kSilent, "adds [CLS] and [SEP] itself: rows have them twice"}},
       "make it with the tokenizer of the model: bertprep sequences TEXT --vocab VOCAB -o NEW"},
  };
}

std::vector<TrapFacts> traps_of_megatron() {
  return {
      {Trap::kTypeCode, "type-code",
       megatron(kSilent, "takes the ids for wider or narrower ones: wrong ids, then a ValueError near the end"),
       kReindex},
      {Trap::kIdsSize, "ids-size",
       megatron(kCrashLate, "ValueError when a late sequence is read; more ids than the index counts: silence"),
       "{fix}"},
      {Trap::kNoIds, "no-ids", megatron(kCrash, "can't open the set: a file of the pair is missing"), kMakeSet},
      {Trap::kOffsets, "offsets",
       megatron(kCrashLate, "reads sequences at wrong places, or a ValueError where an offset is negative"), kReindex},
      {Trap::kDocumentEnds, "document-ends",
       megatron(kCrash, "asserts that the documents end where the sequences do; or takes other documents"), kReindex},
      {Trap::kOneSentence,
       "one-sentence",
       {{kMegatronBert, kCrash, "needs two sentences for a sample: finds none in these documents"}},
       "bertprep sequences TEXT --vocab VOCAB --for megatron-bert -o NEW, which writes one sentence per sequence"},
      {Trap::kLongSentences,
       "long-sentences",
       {{kMegatronBert, kSilent, "skips whole documents that have a sentence of more than 512 ids"}},
       "bertprep sequences TEXT --vocab VOCAB --for megatron-bert -o NEW, which cuts them"},
      {Trap::kNoEnd,
       "no-end",
       {{kMegatronGpt, kSilent, "joins documents, and finds no end at which to reset attention"}},
       "bertprep sequences TEXT --vocab VOCAB --for megatron-gpt --eod yes -o NEW"},
  };
}

// The traps of token sequences.
std::vector<TrapFacts> make_sequence_traps() {
  std::vector<TrapFacts> traps = traps_of_formats();
  for (const auto& more : {traps_of_mds_files(), traps_of_mds_samples(), traps_of_megatron()}) {
    traps.insert(traps.end(), more.begin(), more.end());
  }
  return traps;
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
