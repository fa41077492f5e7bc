// train_vocab: a corpus -> a vocabulary file, resumable as the stages are (stages.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/pipeline/corpus.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/pipeline/stages.h"
#include "bertprep/token/vocab_trainer.h"

namespace bertprep {

struct VocabTask {
  std::vector<CorpusPart> parts;  // one after the other
  std::filesystem::path file;     // docs/formats/vocabulary.md
  VocabTrainerOptions trainer;
};

struct VocabReport {
  StageReport stage;  // "vocab"
  std::uint64_t pieces = 0;
};

// A file that an earlier call made from the same text with the same options is found. One that was made otherwise, that
// was edited since, or that no call made is refused before any text is read, unless work.force. Memory: the distinct
// words. Throws IoError, FormatError, ConfigError, Cancelled.
VocabReport train_vocab(const VocabTask& task, const WorkOptions& work, Progress& progress);

}  // namespace bertprep
