// The parts of a set's report, in the order of the page. Each is HTML; empty if it does not apply to the set.
#pragma once

#include "report/report.h"

namespace bertprep {

std::string set_title(const SetReport& set);         // text, not HTML
std::string head_section(const SetReport& set);      // what it is, and its main numbers
std::string findings_section(const SetReport& set);  // warnings and findings, each with its remedy
std::string rows_section(const SetReport& set);      // lengths, padding, predictions, next sentences
std::string files_section(const SetReport& set);     // rows and bytes of each
std::string pieces_section(const SetReport& set);    // the vocabulary and how it is used
std::string text_section(const SetReport& set);      // the manifest's figures of the text
std::string residue_section(const SetReport& set);   // markup in the text
std::string stages_section(const SetReport& set);    // time and memory of the run
std::string recipe_section(const SetReport& set);    // the options that made it
std::string samples_section(const SetReport& set);   // rows to read

}  // namespace bertprep
