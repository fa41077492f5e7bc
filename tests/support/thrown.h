// The message of a call's exception.
#pragma once

#include <string>

#include "bertprep/base/error.h"

namespace bertprep::test {

// For the named class of error or one derived from it; "nothing thrown" if the call returns.
template <class Expected = Error, class Call>
std::string thrown_by(const Call& call) {
  try {
    call();
  } catch (const Expected& error) {
    return error.what();
  }
  return "nothing thrown";
}

}  // namespace bertprep::test
