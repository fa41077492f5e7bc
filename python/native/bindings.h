// The parts of the module, and how its functions are made of requests.
#pragma once

#include <pybind11/pybind11.h>

#include "keywords.h"
#include "results.h"
#include "served_call.h"

namespace bertprep::python {

void bind_results(py::module_& module);
void bind_tokenizer(py::module_& module);
void bind_text_functions(py::module_& module);
void bind_reading(py::module_& module);
void bind_building(py::module_& module);
void bind_stages(py::module_& module);
void bind_rows(py::module_& module);
void bind_judging(py::module_& module);

// Adds to `options` of the module, by the name of the function, what lists the options that `take` sets.
void define_options(py::module_& module, const char* function, void (*take)(Keywords& keywords));

// A function that takes a dict of arguments and options. A Request is made of Keywords, and run(keywords, call) does
// the work.
template <class Request>
void define(py::module_& module, const char* function) {
  define_options(module, function, [](Keywords& keywords) { Request{keywords}; });
  module.def(function, [function](const py::dict& given) {
    Keywords keywords(given);
    ServedCall call(keywords.object("progress"));
    Request request(keywords);
    keywords.require_all_known(function);
    return request.run(keywords, call);
  });
}

}  // namespace bertprep::python
