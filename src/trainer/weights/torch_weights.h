// State dicts in the files of torch.save (docs/formats/checkpoint.md). Nothing in them is executed.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "trainer/weights/weights_file.h"

namespace bertprep {

// Whether the first bytes are those of such a file.
bool is_torch_file(std::string_view bytes);

// `bytes` must outlive the result; `where` names the file. Values stay where they are, but for a tensor that does not
// lie in C order: it is copied for the time of its view. Throws FormatError.
std::unique_ptr<WeightsFile> parse_torch_file(std::string_view bytes, const std::string& where);

}  // namespace bertprep
