// The words that a report shows: those of a vocabulary that the user names, or of the one beside each set.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace bertprep {

// Sets vocab_of and spelling_of; `vocab` is a name or path, or empty: that beside each set, with a note if there is
// none. `progress` must outlive the options.
void use_vocabulary(const std::string& vocab, ReportOptions& options, Progress& progress);

// Throws ConfigError for rows for BERT if `vocab` is byte-level BPE.
void require_words_of_rows(const std::string& vocab, const std::vector<SetReport>& sets);

}  // namespace bertprep
