// Two tasks that race on purpose, or a thread that nobody joins, to check that ThreadSanitizer finds it despite
// tests/tsan.supp.
//   planted_race tasks|blocks|thread
#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <iostream>
#include <memory>
#include <string_view>
#include <thread>

#include "pipeline/work/workers.h"

namespace {

// Each task waits for the other, so neither ends before the other begins.
class Race {
 public:
  void run() {
    ++arrived_;
    while (arrived_ < 2) std::this_thread::yield();
    for (int i = 0; i < 1000; ++i) ++planted_;
  }
  int planted() const { return planted_; }

 private:
  std::atomic<int> arrived_ = 0;
  alignas(64) int planted_ = 0;  // ThreadSanitizer remembers few accesses per word, so it has one for itself
};

void leave_thread() {
  std::atomic<bool> ran = false;
  const auto run = [](void* flag) -> void* {
    *static_cast<std::atomic<bool>*>(flag) = true;
    return nullptr;
  };
  pthread_t thread;
  if (pthread_create(&thread, nullptr, run, &ran) != 0) return;
  while (!ran) std::this_thread::yield();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view kind = argc == 2 ? argv[1] : "";
  bertprep::Progress progress;
  Race race;
  if (kind == "tasks") {
    bertprep::for_each_task(2, 2, progress, [&](std::size_t) { race.run(); });
  } else if (kind == "blocks") {
    int left = 2;
    bertprep::run_ordered<int>(
        2, progress, [&] { return left-- > 0 ? std::make_unique<int>(left) : nullptr; }, [&](int&) { race.run(); },
        [](int&) {});
  } else if (kind == "thread") {
    leave_thread();
  } else {
    return 2;
  }
  std::cout << race.planted() << '\n';
}
