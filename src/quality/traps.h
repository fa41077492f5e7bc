// Traps: faults of a set that make a trainer hang, crash or learn nonsense. docs/cli/doctor.md lists them by name.
#pragma once

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bertprep {

// Readers of a set. For NVIDIA, Habana and AWS Neuron, their BERT trainers.
enum class TrainerKind {
  // HDF5.
  kNvidia,
  kHabana,
  kNeuron,
  kHuggingFace,
  kBerttrain,
  // MDS.
  kModernbert,           // its own reader: "streaming: false"
  kModernbertStreaming,  // StreamingTextDataset
  kBioclinical,          // ModernBERT's own reader with rows of up to 8,192 tokens
  kEurobert,
  kStreaming,  // StreamingDataset itself, as used by llm-foundry
  // Megatron.
  kMegatronBert,
  kMegatronGpt,
};
using Trainers = std::span<const TrainerKind>;

inline constexpr std::array kAllTrainers{TrainerKind::kNvidia,
                                         TrainerKind::kHabana,
                                         TrainerKind::kNeuron,
                                         TrainerKind::kHuggingFace,
                                         TrainerKind::kBerttrain,
                                         TrainerKind::kModernbert,
                                         TrainerKind::kModernbertStreaming,
                                         TrainerKind::kBioclinical,
                                         TrainerKind::kEurobert,
                                         TrainerKind::kStreaming,
                                         TrainerKind::kMegatronBert,
                                         TrainerKind::kMegatronGpt};
inline constexpr Trainers kRowTrainers{kAllTrainers.data(), 5};  // of HDF5
inline constexpr Trainers kMdsTrainers{kAllTrainers.data() + 5, 5};
inline constexpr Trainers kMegatronTrainers{kAllTrainers.data() + 10, 2};

std::string_view trainer_name(TrainerKind trainer);  // "nvidia"
// Whether one of `wanted` is among them.
bool has_any(Trainers trainers, std::initializer_list<TrainerKind> wanted);

// What --for accepts: "nvidia|habana|...", as the name of the value in --help.
std::string trainer_names(Trainers trainers = kAllTrainers);
// Throws ConfigError listing all of them.
TrainerKind trainer_of(const std::string& name, Trainers trainers = kAllTrainers);

// In ascending order.
enum class Severity {
  kRemark,     // costs time, or depends on an option of the trainer
  kCrash,      // ends with an error at its start
  kCrashLate,  // ends with an error after hours
  kSilent,     // trains, but on data other than you think
  kHang,       // never ends
};

std::string_view severity_name(Severity severity);  // "crash late"

// In the order of traps.txt, which has the facts of each.
enum class Trap {
  kOneFile,
  kFewerFilesThanRanks,
  kSideFile,
  kUnequalRows,
  kZeroPosition,
  kMorePredictions,
  kPadding,
  kLabelShare,
  kOneDocument,
  kFlippedLabels,
  kVocabularyTooSmall,
  kVocabularyTooLarge,
  kUnknownVocabulary,
  kRowLengths,
  kColumnWidths,
  kFirstDimensions,
  kDroppedColumns,
  kMappedColumns,
  kLabelValues,
  kDamagedFile,
  kChangedFile,
  kFolderLevel,
  kDatasetsBelow,
  kFolderName,
  kTestNamedTraining,
  kSplitWords,
  kUnbalancedFiles,
  kUndividedFiles,
  kNoTrainingFile,
  kOtherEnding,
  kMissingColumns,
  kUnreadableColumn,
  kLabelDimensions,
  kNoRows,
  kSameRows,
  kMissingFiles,
  kMaskGaps,
  kSegmentRange,
  kPositionRange,
  kNoPredictions,
  kVisibleLabels,
  kOtherFormat,
  kBrokenIndex,
  kNoIndex,
  kNoSamples,
  kMissingShards,
  kUnlistedShards,
  kShardTwice,
  kDamagedShard,
  kSampleCount,
  kOtherDigest,
  kOtherColumns,
  kDamagedSample,
  kOnlyCompressed,
  kOnlyRaw,
  kIdType,
  kColumnName,
  kColumnEncoding,
  kUnsafeColumn,
  kTextAndIds,
  kMixedColumns,
  kSplitName,
  kLongRows,
  kRaggedRows,
  kCacheLimit,
  kFewSamples,
  kUnevenEnd,
  kSpecialIds,
  kNegativeIds,
  kNarrowType,
  kTypeCode,
  kIdsSize,
  kNoIds,
  kOffsets,
  kDocumentEnds,
  kOneSentence,
  kLongSentences,
  kNoEnd,
  kNoLineBreaks,
};

struct TrapEffect {
  TrainerKind trainer;
  Severity severity;
  std::string_view text;           // what the trainer does
  bool only_if_requested = false;  // applies only if the user names this trainer, as others read the set differently
};

struct TrapFacts {
  std::string_view name;  // "unequal-rows"; never changes
  std::vector<TrapEffect> effects;
  // How to fix it. {dir} is the folder, {files} are the files with the trap, as shell words; {count} and the like are
  // filled in when the trap is found.
  std::string_view fix;
};

const TrapFacts& facts_of(Trap trap);
const std::vector<TrapFacts>& all_traps();

}  // namespace bertprep
