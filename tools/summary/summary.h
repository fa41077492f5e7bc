// The closing summary of a run: its stages, its data, its sets of token sequences.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "bertprep/pipeline/stages.h"
#include "console/console.h"
#include "pipeline/sequences/sequences.h"

namespace bertprep::cli {

// Prints one line per stage: articles, sentences, tokens, rows, bytes, seconds, MB/s; and events with --json.
void print_summary(std::span<const StageReport> stages, Console& console);

// Adds --max-rejects, for status_for_rejects(); -1: no limit.
void add_max_rejects(CLI::App& app, std::int64_t& max_rejects);

// Prints how many records the stage rejected, why, and which file lists them; returns the exit status for this number.
int status_for_rejects(const StageReport& stage, std::int64_t max_rejects, Console& console);

// The closing summary's part about the data: counts, and warnings for those out of range.

// Prints a few lines for each dataset finished by the stages, then the warnings; events with --json.
void print_data(std::span<const StageReport> stages, Console& console);

// Adds --strict-data, for status_for_data().
void add_strict_data(CLI::App& app, bool& strict);

// The exit status for these warnings: `status` unless they count as errors.
int status_for_data(std::span<const StageReport> stages, bool strict, int status);

// The closing summary of a set of token sequences.

// Prints a line for each split; events with --json. `options` are resolved.
void print_splits(const std::map<std::string, SequenceCounts>& splits, const SequenceOptions& options,
                  Console& console);

// The word for a sequence with these resolved options: "row", "block", "sentence", "document".
std::string sequence_word(const SequenceOptions& options);

}  // namespace bertprep::cli
