// What each source of a file said when it did not give it, ranked for a message.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace bertprep {

// In the order of messages: from what stays to what a later try may find changed.
enum class Trouble {
  kGone,         // 404, 410, a redirect to nowhere
  kOtherData,    // another file, or a page
  kRefused,      // 401, 403 and the like
  kUnusable,     // certificate, protocol, URL, answers that don't fit together
  kAsksToWait,   // Retry-After beyond what a run waits
  kUnreachable,  // no connection, a broken one, 5xx
};

struct FailedSource {
  std::string url;
  Trouble trouble = Trouble::kUnreachable;
  std::string reason;
};

// Whether one of them may give the file later.
bool may_recover(const std::vector<FailedSource>& failed);

// "URL: reason; URL: reason".
std::string in_one_line(const std::vector<FailedSource>& failed);

// Throws that the file `where` ("what": "could not be fetched") is to be had from none of them. The hint ends with a
// line for each, most lasting first; addresses of a host that say the same share one. FormatError if one sent other
// data, unless another asks to wait; else IoError, transient if one of them may recover.
[[noreturn]] void throw_failed(const std::string& what, const std::string& where, const std::string& hint,
                               const std::vector<FailedSource>& failed);

// "45 s", "12 min", "24 h", "365 days".
std::string wait_text(std::chrono::seconds wait);
// " in 45 s" of a pause that a user would notice; else empty.
std::string pause_text(std::chrono::nanoseconds pause);

}  // namespace bertprep
