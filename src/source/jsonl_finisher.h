// JsonlFinisher: a record of a JSON file -> title, text and origin; or why it is rejected.
#pragma once

#include <memory>
#include <string>

#include "bertprep/source/document_source.h"
#include "source/document_finisher.h"

namespace bertprep {

// How a rejected record is named: by FILE:LINE, or by FILE:LINE and its first byte, where a line holds many.
enum class JsonPlace { kLine, kByte };

// Finishes documents whose text is the record, with origin.line and origin.byte set. `text_field` as in SourceOptions.
std::shared_ptr<const DocumentFinisher> make_jsonl_finisher(std::string text_field, JsonPlace place = JsonPlace::kLine);

}  // namespace bertprep
