// The draws of Python's random.Random for seeds of up to 64 bits, each restated one output at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace bertprep::test {

class PlainRandom {
 public:
  explicit PlainRandom(std::uint64_t seed);

  std::uint32_t output();
  double real();
  std::size_t below(std::size_t n);
  std::size_t between(std::size_t first, std::size_t last) { return first + below(last - first + 1); }
  std::uint64_t draws() const { return draws_; }

  template <class T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

 private:
  static constexpr std::size_t kWords = 624;
  std::array<std::uint32_t, kWords> state_{};
  std::size_t at_ = 0;
  std::uint64_t draws_ = 0;
};

}  // namespace bertprep::test
