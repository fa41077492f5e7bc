// The closing summary of a run: its stages, its data, its sets of token sequences.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "bertprep/pipeline/stages.h"
#include "options/command.h"
#include "pipeline/sequences/sequences.h"

namespace bertprep::cli {

// Prints one line per stage: articles, sentences, tokens, rows, bytes, seconds, MB/s; and events with --json.
void print_summary(std::span<const StageReport> stages, Console& console);

// Adds --max-rejects, for status_for_rejects(); -1: no limit.
void add_max_rejects(Command& command, std::int64_t& max_rejects);

// Prints how many records the stage rejected, why, and which file lists them; returns the exit status for this number.
int status_for_rejects(const StageReport& stage, std::int64_t max_rejects, Console& console);

// Prints a few lines for each dataset finished by the stages, then the warnings; events with --json.
void print_data(std::span<const StageReport> stages, Console& console);

// Adds --strict-data, for status_for_data().
void add_strict_data(Command& command, bool& strict);

// The exit status for these warnings: `status` unless they count as errors.
int status_for_data(std::span<const StageReport> stages, bool strict, int status);

// Prints a line for each split of a set of token sequences; events with --json. `options` are resolved.
void print_splits(const std::map<std::string, SequenceCounts>& splits, const SequenceOptions& options,
                  Console& console);

// The word for a sequence with these resolved options: "row", "block", "sentence", "document".
std::string sequence_word(const SequenceOptions& options);

}  // namespace bertprep::cli
