// The traps of token sequences: MDS and Megatron sets.

#include "quality/traps.h"

namespace bertprep {
namespace {

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

}  // namespace

std::vector<TrapFacts> make_sequence_traps() {
  std::vector<TrapFacts> traps = traps_of_formats();
  for (const auto& more : {traps_of_mds_files(), traps_of_mds_samples(), traps_of_megatron()}) {
    traps.insert(traps.end(), more.begin(), more.end());
  }
  return traps;
}

}  // namespace bertprep
