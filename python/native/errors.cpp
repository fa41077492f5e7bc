#include "errors.h"

#include "bertprep/base/error.h"
#include "bertprep/fetch/fetch.h"
#include "results.h"

namespace bertprep::python {
namespace {

void raise(const char* name, const Error& error) {
  const py::object type = py::module_::import("bertprep.errors").attr(name);
  const py::object made =
      type.attr("_of")(text_object(error.what()), text_object(error.where()), text_object(error.hint()));
  PyErr_SetObject(type.ptr(), made.ptr());
}

void translate(std::exception_ptr thrown) {
  if (!thrown) return;
  try {
    std::rethrow_exception(thrown);
  } catch (const OfflineError& error) {
    raise("OfflineError", error);
  } catch (const IoError& error) {
    raise(error.is_missing() ? "MissingError" : "IoError", error);
  } catch (const FormatError& error) {
    raise("FormatError", error);
  } catch (const ConfigError& error) {
    raise("ConfigError", error);
  } catch (const Cancelled& error) {
    raise("Cancelled", error);
  } catch (const Error& error) {
    raise("Error", error);
  }
}

}  // namespace

void register_errors() {
  py::register_exception_translator(translate);
}

void throw_type_error(const std::string& text) {
  throw py::type_error(text);
}

}  // namespace bertprep::python
