// Rows of columns: the text fields of a row, and the work that makes an article of them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "source/formats/text_fields.h"
#include "source/input/deferred_work.h"

namespace bertprep {

// Appends a field of a row to its record; nothing: null.
void append_field(std::string& record, std::optional<std::string_view> field);

// Finishes documents whose text is such a record: its fields are all that `fields` names, in this order, or the one
// that has the whole of `text_field` as its name. Title and origin, too, must be UTF-8.
std::shared_ptr<const DeferredWork> make_deferred_columns(RecordFields fields);

}  // namespace bertprep
