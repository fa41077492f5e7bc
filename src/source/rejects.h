// Rejects: what becomes of a bad record.
#pragma once

#include <string>
#include <string_view>

#include "bertprep/source/open_source.h"

namespace bertprep {

class Rejects {
 public:
  // An empty `sink` makes every bad record an error.
  Rejects(bool strict, RejectSink sink);

  // Hands the record on, or throws FormatError.
  void add(const std::string& where, const std::string& reason, std::string_view record);
  bool is_strict() const { return strict_; }

 private:
  bool strict_;
  RejectSink sink_;
};

}  // namespace bertprep
