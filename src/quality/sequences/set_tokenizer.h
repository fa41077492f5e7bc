// The tokenizer of a set of token sequences, where one lies beside it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "bertprep/token/text_encoder.h"
#include "quality/doctor/doctor.h"

namespace bertprep {

struct SetTokenizer {
  std::size_t pieces = 0;
  SpecialIds specials{};
};

SetTokenizer tokenizer_of(const TextEncoder& encoder);
// The folder tokenizer/ in `folder` or above it, up to two levels, as `bertprep sequences` leaves it. Nothing where
// there is none that can be read.
std::optional<SetTokenizer> tokenizer_beside(const std::filesystem::path& folder);

// The pieces of the model, else of the tokenizer that was given, else of the one beside the set; 0: not known.
std::int64_t pieces_of(const DoctorOptions& options, const std::optional<SetTokenizer>& beside);
// The special tokens of the tokenizer that was given, else of the one beside the set.
SpecialIds specials_of(const DoctorOptions& options, const std::optional<SetTokenizer>& beside);

// What the manifest of a set, in `folder` or above it, says of a file; nothing where it says nothing.
struct PromisedFile {
  std::string sha256;
  std::uintmax_t bytes = 0;
};
std::optional<PromisedFile> promise_of_file(const std::filesystem::path& file);

}  // namespace bertprep
