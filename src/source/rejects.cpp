#include "source/rejects.h"

#include <utility>

#include "bertprep/base/error.h"

namespace bertprep {

Rejects::Rejects(bool strict, RejectSink sink) : strict_(strict || !sink), sink_(std::move(sink)) {}

void Rejects::add(const std::string& where, const std::string& reason, std::string_view record) {
  if (strict_) throw FormatError(reason, where, "mend the record, or have bad records set aside");
  sink_(where, reason, record);
}

}  // namespace bertprep
