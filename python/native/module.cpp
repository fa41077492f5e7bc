// The module bertprep._native. Its functions take checked arguments from the package, which documents them.
#include <pybind11/stl.h>

#include "bertprep/version.h"
#include "bindings.h"
#include "errors.h"

namespace bertprep::python {
namespace {

// (name, kind, default, choices, help) of each keyword option of a function.
py::list options_of(const std::string& function) {
  std::vector<KnownOption> options;
  Keywords keywords(options);
  if (function == "Tokenizer") {
    list_tokenizer_options(keywords);
  } else if (function == "SentenceSplitter" || function == "clean_wikitext") {
    list_text_options(function, keywords);
  } else if (function == "read") {
    list_reading_options(keywords);
  } else {
    list_building_options(function, keywords);
    list_stage_options(function, keywords);
    list_judging_options(function, keywords);
  }
  static constexpr const char* kKinds[] = {"int", "float", "bool", "str", "choice"};
  return list_object(options, [](const KnownOption& option) {
    return py::make_tuple(option.name, kKinds[static_cast<std::size_t>(option.kind)], option.preset, option.choices,
                          option.help);
  });
}

}  // namespace
}  // namespace bertprep::python

PYBIND11_MODULE(_native, module) {
  using namespace bertprep::python;
  module.attr("__version__") = bertprep::kVersion;
  register_errors();
  bind_tokenizer(module);
  bind_text_functions(module);
  bind_reading(module);
  bind_building(module);
  bind_stages(module);
  bind_rows(module);
  bind_judging(module);
  module.def("options_of", options_of);
}
