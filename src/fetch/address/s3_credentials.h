// Who asks S3: keys and region, from where the tools of AWS take them.
#pragma once

#include <string>

#include "fetch/fetch_job.h"

namespace bertprep {

struct S3User {
  std::string access_key{};  // empty: requests are not signed
  std::string secret_key{};
  std::string session_token{};
  std::string region{};  // empty: not given
};

// From the environment; the profile of AWS_PROFILE in the shared files; the container's endpoint; the machine's
// (IMDSv2). Without keys with AWS_NO_SIGN_REQUEST=YES. Throws IoError if there are none, ConfigError for a profile that
// is not there or needs the tools of AWS.
S3User find_s3_user(const FetchJob& job);

}  // namespace bertprep
