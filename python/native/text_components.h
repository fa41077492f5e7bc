// The user's callables as the library's text components.
#pragma once

#include <pybind11/pybind11.h>

#include "bertprep/pipeline/pipeline_options.h"
#include "keywords.h"
#include "served_call.h"

namespace bertprep::python {

// Sets the splitter, normalizer and tokenizer of `options` to those among the keywords. Each is a callable with `name`
// and `version`; see bertprep.component(). `call` must outlive the options. With the interpreter's lock.
void set_components(Keywords& keywords, PipelineOptions& options, ServedCall& call);

}  // namespace bertprep::python
