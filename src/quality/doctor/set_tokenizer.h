// The tokenizer of a set of token sequences, and the digests of its files, if it has them.
#pragma once

#include "quality/doctor/doctor.h"

namespace bertprep {

// The folder tokenizer/ in `folder` or above it, up to two levels, as written by `bertprep sequences`. Nothing if there
// is none or it can't be read.
std::optional<TextEncoder> encoder_beside(const std::filesystem::path& folder);

// For a model with this vocabulary; empty: the set's tokenizer counts. Throws as TextEncoder::open().
void use_vocabulary(const std::string& vocab, DoctorOptions& options);

// The model's, else the one beside the set; without either, all is unknown.
SetTokenizer tokenizer_for(const DoctorOptions& options, const std::filesystem::path& folder);

// Reports a set of `tokens` of which hardly any has a line break.
void find_lost_breaks(std::uint64_t breaks, std::uint64_t tokens, Findings& findings);

// The sha256 of a file by the manifest of its set, in its folder or up to two levels above; nothing if unknown.
std::optional<std::string> recorded_sha256(const std::filesystem::path& file);

}  // namespace bertprep
