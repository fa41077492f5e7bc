// tidy(): punctuation of a paragraph after things have been taken out of it.
#pragma once

#include <string>

namespace bertprep::clean {

// Empty brackets and quotes vanish; so do blanks before , . ; ) and after (, a , or ; after (, doubled commas, runs of
// blanks. `french` keeps the blank before : ! ? that French sets. Tidying twice gives the same.
void tidy(std::string& text, bool french);

}  // namespace bertprep::clean
