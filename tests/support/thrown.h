// What a call throws, as its message.
#pragma once

#include <string>

#include "bertprep/base/error.h"

namespace bertprep::test {

// Of an error of the named class or one derived from it; "nothing thrown" where the call returns.
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
