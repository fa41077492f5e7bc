#include "io/shared_library.h"

#include <dlfcn.h>

#include <string>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

[[noreturn]] void fail(const std::string& what, const char* name, const std::string& reason) {
  throw Error(what + " (" + reason + "): install the library " + name +
              ", or build bertprep again with the one there is");
}

void* load(const char* name, const char* file) {
  if (void* handle = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL)) return handle;
  const std::string reason = ::dlerror();
  if (void* handle = ::dlopen(file, RTLD_LAZY | RTLD_LOCAL)) return handle;
  fail(std::string(name) + " can't be loaded", name, reason);
}

}  // namespace

SharedLibrary::SharedLibrary(const char* name, const char* file) : name_(name), handle_(load(name, file)) {}

SharedLibrary::Symbol SharedLibrary::operator[](const char* symbol) const {
  if (void* address = ::dlsym(handle_, symbol)) return Symbol(address);
  fail(std::string(name_) + " has no " + symbol, name_, ::dlerror());
}

}  // namespace bertprep
