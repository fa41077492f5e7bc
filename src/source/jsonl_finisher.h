// JsonlFinisher: a line of a JSON Lines file -> title, text and origin; or why it is rejected.
#pragma once

#include <memory>
#include <string>

#include "bertprep/source/document_source.h"

namespace bertprep {

// Finishes documents whose text is the line, with origin.line and origin.byte set. `text_field` as in SourceOptions.
std::shared_ptr<const DocumentFinisher> make_jsonl_finisher(std::string text_field);

}  // namespace bertprep
