#include "io/pause.h"

#include <ctime>

namespace bertprep {

void pause_for(std::chrono::milliseconds duration) {
  timespec time{};
  time.tv_sec = static_cast<time_t>(duration.count() / 1000);
  time.tv_nsec = static_cast<long>(duration.count() % 1000) * 1'000'000;
  ::nanosleep(&time, nullptr);
}

}  // namespace bertprep
