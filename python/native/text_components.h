// The user's callables as the library's text components, and its own tokenizers.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <span>
#include <string>

#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/token/text_encoder.h"
#include "keywords.h"
#include "served_call.h"

namespace bertprep::python {

// A splitter, a normalizer and a tokenizer among the keywords. Each is a callable with `name` and `version`; see
// bertprep.component().
struct Components {
  py::object splitter;
  py::object normalizer;
  py::object tokenizer;

  explicit Components(Keywords& keywords)
      : splitter(keywords.object("splitter")),
        normalizer(keywords.object("normalizer")),
        tokenizer(keywords.object("tokenizer")) {}
  // `call` must outlive the options. With the interpreter's lock.
  void set(PipelineOptions& options, ServedCall& call) const;
};

// The tokenizer of `vocab`, with the case and accents of its files; `fits_case`: one of another case is refused. Throws
// ConfigError for given options that it can't have.
TextEncoder open_encoder(std::span<const GivenOption> given, const std::string& vocab, const EncoderOptions& options,
                         TokenizerOptions& tokenizer, Progress& progress, bool fits_case = false);

// Null for none.
std::shared_ptr<const TextNormalizer> normalizer_of(const py::object& given, ServedCall& call);

}  // namespace bertprep::python
