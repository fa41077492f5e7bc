#include "io/loaded_library.h"

#include <dlfcn.h>
#include <sys/auxv.h>

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

bool is_in_the_program(const void* address) {
  Dl_info of_program = {}, of_address = {};
  return ::dladdr(reinterpret_cast<void*>(::getauxval(AT_PHDR)), &of_program) != 0 &&
         ::dladdr(address, &of_address) != 0 && of_address.dli_fbase == of_program.dli_fbase;
}

}  // namespace

LoadedLibrary::LoadedLibrary(const char* name, const char* file) : name_(name), handle_(load(name, file)) {}

LoadedLibrary::Symbol LoadedLibrary::operator[](const char* symbol) const {
  void* address = ::dlsym(handle_, symbol);
  if (address == nullptr) fail(std::string(name_) + " has no " + symbol, name_, ::dlerror());
  // A program that is linked with the library holds copies of some of its objects, which the library then uses, too.
  void* used = ::dlsym(RTLD_DEFAULT, symbol);
  return Symbol(used != nullptr && is_in_the_program(used) ? used : address);
}

}  // namespace bertprep
