#include "fetch/address/s3_credentials.h"

#include <algorithm>
#include <map>
#include <optional>

#include "bertprep/base/error.h"
#include "fetch/address/address.h"
#include "fetch/download.h"
#include "fetch/pages.h"
#include "io/input_file.h"
#include "io/json.h"
#include "io/process.h"
#include "unicode/ascii.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;
using Section = std::map<std::string, std::string>;

// "key = value" in [name], or in [profile name]; nothing if the file lacks the section.
std::optional<Section> section_of(const fs::path& file, const std::string& name) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  std::optional<Section> section;
  const std::string text = read_file_if_any(file).value_or("");
  bool is_inside = false;
  for (const std::string_view line : split_stripped_lines(text)) {
    const std::size_t sign = line.find('=');
    if (line.starts_with('[')) {
      const std::string_view title = strip(line.substr(1, line.find(']') - 1));
      is_inside = title == name || title == "profile " + name;
      if (is_inside && !section) section.emplace();
    } else if (is_inside && sign != std::string_view::npos && line[0] != '#') {
      section->insert_or_assign(ascii_lower(strip(line.substr(0, sign))), strip(line.substr(sign + 1)));
    }
  }
  return section;
}

fs::path aws_file(const char* variable, const char* name) {
  const std::string given = environment_variable(variable);
  return given.empty() ? fs::path(environment_variable("HOME")) / ".aws" / name : fs::path(given);
}

Section profile() {
  const std::string given = environment_variable("AWS_PROFILE");
  const std::string name = given.empty() ? "default" : given;
  const auto shared = section_of(aws_file("AWS_SHARED_CREDENTIALS_FILE", "credentials"), name);
  const auto config = section_of(aws_file("AWS_CONFIG_FILE", "config"), name);
  if (!given.empty() && !shared && !config) {
    throw ConfigError("there is no profile '" + name + "'", "AWS_PROFILE", "'aws configure list-profiles' shows them");
  }
  Section all = shared.value_or(Section{});
  if (config) all.insert(config->begin(), config->end());
  return all;
}

std::string value_of(const Section& section, const std::string& key) {
  const auto place = section.find(key);
  return place == section.end() ? std::string() : place->second;
}

// A service beside the program answers at once, without a proxy, or is not there.
std::optional<std::string> ask_here(const FetchJob& job, const HttpRequest& request) {
  FetchOptions options;
  options.stall_seconds = 2;
  options.retries = 1;
  return Pages(options, retry_policy(options), job.progress, false).get(request);
}

void take_json(const std::string& text, S3User& user) {
  const Json json = Json::parse(text, "the credentials of this machine");
  user.access_key = json.at("AccessKeyId").text();
  user.secret_key = json.at("SecretAccessKey").text();
  if (const Json* token = json.find("Token")) user.session_token = token->text();
}

// https, or a host that only this machine or its own network can be.
bool is_local(const std::string& url) {
  const std::string host = host_of(url).substr(0, host_of(url).find(':'));
  const bool is_number = host.find_first_not_of("0123456789.") == std::string::npos;
  return url.starts_with("https://") || host == "localhost" || (is_number && host.starts_with("127.")) ||
         host == "169.254.170.2" || host == "169.254.170.23";
}

bool ask_container(const FetchJob& job, S3User& user) {
  const std::string relative = environment_variable("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
  const std::string url =
      relative.empty() ? environment_variable("AWS_CONTAINER_CREDENTIALS_FULL_URI") : "http://169.254.170.2" + relative;
  if (url.empty()) return false;
  if (!is_local(url)) {
    throw ConfigError("names a host that is not this machine's", "AWS_CONTAINER_CREDENTIALS_FULL_URI",
                      "give one with https, or on loopback");
  }
  std::string token = environment_variable("AWS_CONTAINER_AUTHORIZATION_TOKEN");
  if (const std::string file = environment_variable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"); !file.empty()) {
    token = strip(read_file_if_any(file).value_or(""));
  }
  HttpRequest request{url};
  if (!token.empty()) request.headers = {"Authorization: " + token};
  const auto text = ask_here(job, request);
  if (!text) return false;
  take_json(*text, user);
  return true;
}

bool ask_machine(const FetchJob& job, S3User& user) {
  if (equals_in_any_case(environment_variable("AWS_EC2_METADATA_DISABLED"), "true")) return false;
  std::string base = first_variable({"AWS_EC2_METADATA_SERVICE_ENDPOINT"});
  if (base.empty()) base = "http://169.254.169.254";
  HttpRequest request{base + "/latest/api/token"};
  request.put = true;
  request.headers = {"X-aws-ec2-metadata-token-ttl-seconds: 21600"};
  const auto token = ask_here(job, request);
  if (!token) return false;
  request = HttpRequest{base + "/latest/meta-data/iam/security-credentials/"};
  request.headers = {"X-aws-ec2-metadata-token: " + *token};
  const auto role = ask_here(job, request);
  if (!role) return false;
  request.url += strip(*role);
  const auto text = ask_here(job, request);
  if (!text) return false;
  take_json(*text, user);
  return true;
}

}  // namespace

S3User find_s3_user(const FetchJob& job) {
  S3User user;
  user.region = first_variable({"AWS_REGION", "AWS_DEFAULT_REGION"});
  if (equals_in_any_case(environment_variable("AWS_NO_SIGN_REQUEST"), "yes")) return user;
  user.access_key = environment_variable("AWS_ACCESS_KEY_ID");
  user.secret_key = environment_variable("AWS_SECRET_ACCESS_KEY");
  user.session_token = environment_variable("AWS_SESSION_TOKEN");
  const Section section = profile();
  if (user.region.empty()) user.region = value_of(section, "region");
  if (!user.access_key.empty() && !user.secret_key.empty()) return user;
  user.access_key = value_of(section, "aws_access_key_id");
  user.secret_key = value_of(section, "aws_secret_access_key");
  user.session_token = value_of(section, "aws_session_token");
  if (!user.access_key.empty() && !user.secret_key.empty()) return user;
  for (const char* key : {"role_arn", "credential_process", "sso_session", "sso_start_url"}) {
    if (section.count(key) == 0) continue;
    throw ConfigError(std::string("the profile has its keys by ") + key + ", which needs the tools of AWS",
                      "AWS_PROFILE", "run 'eval \"$(aws configure export-credentials --format env)\"' first");
  }
  user.access_key.clear();
  if (ask_container(job, user) || ask_machine(job, user)) return user;
  throw IoError("no keys for S3 were found: neither in the environment, nor a profile, nor this machine's role", {},
                "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE; for a public bucket "
                "AWS_NO_SIGN_REQUEST=YES");
}

}  // namespace bertprep
