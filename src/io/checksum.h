// Checksums of the sections of side files: XXH3 (64 bits) by xxHash. They find damage; against intent there is SHA-256.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace bertprep {

// `begin` is any number: the checksum of what comes before, or the number of a section, which then can't stand in for
// another one.
std::uint64_t checksum_of(std::string_view bytes, std::uint64_t begin = 0);

// The same of a whole file, as 16 hexadecimal digits.
class Xxh3 {
 public:
  Xxh3();
  ~Xxh3();
  void update(std::string_view bytes);
  std::string finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string xxh3_of(std::string_view bytes);

}  // namespace bertprep
