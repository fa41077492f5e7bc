// Background: a thread that does what it is given, one thing after the other.
#pragma once

#include <functional>
#include <memory>

namespace bertprep {

class Background {
 public:
  Background();
  ~Background();  // what has not begun is left undone

  // Hands over `work`; returns at once.
  void post(std::function<void()> work);
  // Waits until everything is done. The first exception of the work comes out here; what came after it is left undone.
  void wait();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bertprep
