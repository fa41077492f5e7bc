// The tokenizer of a set of token sequences, and the digests of its files, if it has them.
#pragma once

#include "quality/doctor/doctor.h"
#include "shard/shard_names.h"

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

// The folder of the set of which `path` is the folder, a split or a part; nothing where no manifest says so. Throws
// IoError.
std::optional<std::filesystem::path> set_with(const std::filesystem::path& path);

// The files of that set; none without one, and if its manifest can't be read.
RecordedFiles recorded_files_with(const std::filesystem::path& path);

}  // namespace bertprep
