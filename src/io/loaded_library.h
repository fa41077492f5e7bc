// LoadedLibrary: a library that is loaded when it is first needed. libcurl, libarchive and HDF5 bring some fifty others
// with them, which together take longer to load than most commands run.
#pragma once

namespace bertprep {

class LoadedLibrary {
 public:
  // A function or object of the library, as a pointer of the type that takes it.
  class Symbol {
   public:
    explicit Symbol(void* address) : address_(address) {}
    template <class Target>
    operator Target*() const {
      return reinterpret_cast<Target*>(address_);
    }

   private:
    void* address_;
  };

  // `name`: by which the loader finds the library; `file`: where the build found it, if the loader doesn't. Throws
  // Error if neither can be loaded. The library stays until the process ends: it may have threads and handlers.
  LoadedLibrary(const char* name, const char* file);

  // Throws Error if the library has no such symbol.
  Symbol operator[](const char* symbol) const;

 private:
  const char* name_;
  void* handle_;
};

// The functions of a library, a struct of symbols, loaded by the first call. Throws as LoadedLibrary does.
template <class Functions>
const Functions& loaded() {
  static const Functions functions;
  return functions;
}

}  // namespace bertprep
