// TokenSpelling: ids of a byte-level BPE tokenizer -> the bytes that they stand for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bertprep/token/text_encoder.h"

namespace bertprep {

// A value type; const calls are thread-safe.
class TokenSpelling {
 public:
  // Nothing for WordPiece, whose pieces don't tell the white space between them.
  static std::optional<TokenSpelling> of(const TextEncoder& encoder);

  // Part of a character, perhaps. "<50300>" for an id that no token has.
  std::string bytes(std::int64_t id) const;
  // "<|endoftext|>": it controls the model and is spelled by its name.
  bool is_control(std::int64_t id) const;

 private:
  bool has(std::int64_t id) const { return id >= 0 && static_cast<std::size_t>(id) < tokens_.size(); }

  std::vector<std::string> tokens_;  // by id; empty if no token has it
  std::vector<bool> controls_;
};

}  // namespace bertprep
