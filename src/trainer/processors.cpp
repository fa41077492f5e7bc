#include "trainer/processors.h"

#include <algorithm>
#include <thread>

namespace bertprep {

int available_processors() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace bertprep
