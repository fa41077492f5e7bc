// WorkBudget: how many bytes the expansion of one page may look at and write before the page is given up.
#pragma once

#include <cstddef>

namespace bertprep {

class WorkBudget {
 public:
  explicit WorkBudget(std::size_t bytes) : left_bytes_(bytes) {}

  // False once more has been spent than there was.
  bool spend(std::size_t bytes) {
    spent_ = spent_ || bytes > left_bytes_;
    left_bytes_ = spent_ ? 0 : left_bytes_ - bytes;
    return !spent_;
  }
  // Ends the work at once, whatever is left.
  void give_up() { spent_ = true; }
  bool spent() const { return spent_; }

 private:
  std::size_t left_bytes_;
  bool spent_ = false;
};

}  // namespace bertprep
