// ByteClasses: the classes that the tokenizer distinguishes, for 64 bytes of text, one bit per byte.
#pragma once

#include <cstddef>
#include <cstdint>

#include "unicode/byte_search.h"

namespace bertprep {

struct ByteClasses {
  static constexpr std::size_t kBytes = 64;

  std::uint64_t letters = 0;   // ASCII letters and digits
  std::uint64_t spaces = 0;    // blank, TAB, LF, CR
  std::uint64_t odd = 0;       // controls and everything beyond ASCII
  std::uint64_t brackets = 0;  // [

  // The rest: ASCII punctuation, including brackets.
  std::uint64_t punctuation() const { return ~(letters | spaces | odd); }

  bool operator==(const ByteClasses&) const = default;
};

// Of the 64 bytes at `bytes`.
template <class Block = ByteBlock>
ByteClasses classify(const char* bytes) {
  const auto ask = [bytes](auto question) {
    const auto of = [&](std::size_t i) { return question(Block::load(bytes + i * Block::kBytes)); };
    return Block::answers_of(of(0), of(1), of(2), of(3));
  };
  ByteClasses classes;
  classes.letters = ask([](Block v) { return (v | ' ').within('a', 'z') | v.within('0', '9'); });
  classes.spaces = ask([](Block v) { return (v == ' ') | v.within('\t', '\n') | (v == '\r'); });
  classes.odd = ~(ask([](Block v) { return v.within(' ', '~'); }) | classes.spaces);
  classes.brackets = ask([](Block v) { return v == '['; });
  return classes;
}

}  // namespace bertprep
