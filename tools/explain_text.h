// An explained row as text, and as an event.
#pragma once

#include <filesystem>
#include <string>

#include "bertprep/token/vocab.h"
#include "pipeline/explain/explain.h"

namespace bertprep::cli {

// Lines for the row as `inspect` shows it, how its tokens are masked, and the articles and sentences of A and B.
std::string explanation_text(const ExplainedRow& row, const std::filesystem::path& text_shard, const Vocab& vocab);
// The same as an event (docs/formats/events.md).
void print_explanation_event(const ExplainedRow& row, const std::filesystem::path& shard,
                             const std::filesystem::path& text_shard, const Vocab& vocab);

}  // namespace bertprep::cli
