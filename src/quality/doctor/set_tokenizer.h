// The tokenizer of a set of token sequences, if it has one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bertprep/token/text_encoder.h"
#include "quality/doctor/doctor.h"
#include "quality/doctor/findings.h"

namespace bertprep {

struct SetTokenizer {
  std::size_t pieces = 0;
  SpecialIds specials{};
  std::vector<TokenId> line_breaks{};  // of byte-level BPE: the tokens that have one
};

SetTokenizer tokenizer_of(const TextEncoder& encoder);
// The folder tokenizer/ in `folder` or above it, up to two levels, as written by `bertprep sequences`. Nothing if there
// is none or it can't be read.
std::optional<TextEncoder> encoder_beside(const std::filesystem::path& folder);
std::optional<SetTokenizer> tokenizer_beside(const std::filesystem::path& folder);

// For a model with this vocabulary; empty: the set's tokenizer counts. Throws as TextEncoder::open().
void use_vocabulary(const std::string& vocab, DoctorOptions& options);

// The pieces of the model, else of the given tokenizer, else of the set's; 0: unknown.
std::int64_t pieces_of(const DoctorOptions& options, const std::optional<SetTokenizer>& beside);
// The special tokens of the given tokenizer, else of the set's.
SpecialIds specials_of(const DoctorOptions& options, const std::optional<SetTokenizer>& beside);

// Likewise the tokens with a line break.
std::span<const TokenId> line_breaks_of(const DoctorOptions& options, const std::optional<SetTokenizer>& beside);

// Reports a set of `tokens` of which hardly any has a line break.
void find_lost_breaks(std::uint64_t breaks, std::uint64_t tokens, Findings& findings);

// What the manifest of a set, in `folder` or above it, says about a file; empty if unknown.
struct ExpectedFile {
  std::string sha256;
  std::uintmax_t bytes = 0;
};
std::optional<ExpectedFile> expected_file(const std::filesystem::path& file);

}  // namespace bertprep
