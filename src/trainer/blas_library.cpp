#include <fstream>
#include <string>

#include "bertprep/trainer/train.h"

namespace bertprep {

std::filesystem::path blas_library() {
  std::ifstream maps("/proc/self/maps");
  std::filesystem::path found;
  for (std::string line; std::getline(maps, line);) {
    const std::size_t begin = line.find('/');
    if (begin == std::string::npos) continue;
    const std::filesystem::path path = line.substr(begin);
    const std::string name = path.filename().string();
    for (const char* known : {"libblas.so", "libopenblas", "libmkl_rt", "libblis", "libflexiblas"}) {
      if (name.starts_with(known)) found = path;
    }
  }
  return found;
}

bool is_reference_blas(const std::filesystem::path& library) {
  // Debian keeps each implementation of libblas.so.3 in a folder of its own, the reference in one named blas.
  return library.filename().string().starts_with("libblas.so") && library.parent_path().filename() == "blas";
}

}  // namespace bertprep
