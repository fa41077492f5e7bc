// The module bertprep._native. Its functions take checked arguments from the package, which documents them.
#include <pybind11/stl.h>

#include "bertprep/version.h"
#include "bindings.h"
#include "errors.h"

namespace bertprep::python {
namespace {

constexpr const char* kKinds[] = {"int", "float", "bool", "str", "choice", "object"};

}  // namespace

void define_options(py::module_& module, const char* function, void (*take)(Keywords& keywords)) {
  if (!py::hasattr(module, "options")) module.attr("options") = py::dict();
  module.attr("options")[function] = py::cpp_function([take] {
    std::vector<KnownOption> options;
    Keywords keywords(options);
    take(keywords);
    py::list listed;
    for (const KnownOption& option : options) {
      listed.append(py::make_tuple(option.name, kKinds[static_cast<std::size_t>(option.kind)], option.preset,
                                   option.choices, option.help));
    }
    return listed;
  });
}

}  // namespace bertprep::python

PYBIND11_MODULE(_native, module) {
  using namespace bertprep::python;
  module.attr("__version__") = bertprep::kVersion;
  register_errors();
  bind_results(module);
  bind_tokenizer(module);
  bind_text_functions(module);
  bind_reading(module);
  bind_building(module);
  bind_stages(module);
  bind_rows(module);
  bind_judging(module);
}
