// A row of a shard as text, and its explanation.
#pragma once

#include <filesystem>
#include <string>

#include "bertprep/shard/schema.h"
#include "bertprep/token/vocab.h"
#include "pipeline/explain/explain.h"
#include "report/inspected_rows.h"
#include "report/shown_row.h"

namespace bertprep::cli {

// Lines for the label, segment A, segment B and the masked tokens with their originals; of a token sequence its pieces
// in one line, or its text, each line of which begins with a bar.
// With colours, tokens to predict are highlighted in place, and the padding is counted.
std::string row_text(const ShownRow& row, bool has_colours);
// The row of this number, which was read, as an event: ids, and pieces or text if there is a vocabulary.
void print_row_event(std::size_t row, const InspectedRows& rows);

// Lines for the row as `inspect` shows it, how its tokens are masked, and the articles and sentences of A and B.
std::string explanation_text(const ExplainedRow& row, const std::filesystem::path& text_shard, const Vocab& vocab);
// The same as an event (docs/formats/events.md).
void print_explanation_event(const ExplainedRow& row, const std::filesystem::path& shard,
                             const std::filesystem::path& text_shard, const Vocab& vocab);

// The same of a token sequence: the row as `inspect` shows it, and its documents.
std::string explanation_text(const ShownRow& row, const ExplainedSequence& explained);
void print_explanation_event(std::size_t number, const ShownRow& row, const ExplainedSequence& explained,
                             const std::filesystem::path& set);

}  // namespace bertprep::cli
