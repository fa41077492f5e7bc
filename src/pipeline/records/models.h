// Models: what a run knows of its languages: the vocabulary and the sentence splitter. Loaded once and handed to the
// stages, so that all of them work with the same ones though a file may change meanwhile.
#pragma once

#include <memory>

#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/text/sentences.h"
#include "bertprep/token/vocab.h"
#include "pipeline/records/dataset_vocab.h"
#include "token/vocab_catalogue.h"

namespace bertprep {

struct Models {
  // Throws IoError, FormatError, ConfigError, also for a vocabulary of another case than the text's.
  explicit Models(const PipelineOptions& options)
      : vocab(load_vocab(options.vocabulary)), splitter(make_sentence_splitter(options.sentences)) {
    require_fitting_case(options.vocabulary, options.tokenizer, vocab.sha256());
  }

  Vocab vocab;
  std::shared_ptr<const SentenceSplitter> splitter;
};

}  // namespace bertprep
