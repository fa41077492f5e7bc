// Buckets of S3 and of what speaks its language: where their keys are, and ListObjectsV2 in pages.
#include <expat.h>

#include <algorithm>
#include <map>

#include "base/number_text.h"
#include "fetch/address/address.h"
#include "fetch/pages.h"
#include "io/input_file.h"
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
  return Pages(options, {options.retries}, job.progress, false).get(request);
}

void take_json(const std::string& text, HttpCredentials& user) {
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

bool ask_container(const FetchJob& job, HttpCredentials& user) {
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

bool ask_machine(const FetchJob& job, HttpCredentials& user) {
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

// From the environment; the profile of AWS_PROFILE in the shared files; the container's endpoint; the machine's
// (IMDSv2). Without keys with AWS_NO_SIGN_REQUEST=YES. Throws IoError if there are none, ConfigError for a profile that
// is not there or needs the tools of AWS.
HttpCredentials find_s3_user(const FetchJob& job) {
  HttpCredentials user;
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

constexpr int kMostListings = 100'000;

std::string given_endpoint() {
  return first_variable({"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"});
}

// With a slash at the end. A certificate for *.s3.amazonaws.com does not name a bucket with a dot.
std::string bucket_url(const std::string& bucket, const std::string& region) {
  if (const std::string endpoint = given_endpoint(); !endpoint.empty()) return endpoint + "/" + bucket + "/";
  const std::string host = "s3." + region + (region.starts_with("cn-") ? ".amazonaws.com.cn" : ".amazonaws.com");
  return bucket.find('.') == std::string::npos ? "https://" + bucket + "." + host + "/"
                                               : "https://" + host + "/" + bucket + "/";
}

std::string remedy(const std::string& code, bool is_signed) {
  static const std::map<std::string, std::string> kRemedies = {
      {"NoSuchBucket", "check the bucket's name, and AWS_ENDPOINT_URL if it is not one of Amazon's"},
      {"SignatureDoesNotMatch", "the secret key is not that of the access key: check AWS_SECRET_ACCESS_KEY"},
      {"InvalidAccessKeyId", "there is no such access key: check AWS_ACCESS_KEY_ID, or AWS_PROFILE"},
      {"ExpiredToken", "get new keys, and run it again: what is here stays"},
      {"InvalidToken", "the session token is not that of the access key: check AWS_SESSION_TOKEN"},
      {"RequestTimeTooSkewed", "set this machine's clock"},
  };
  const auto place = kRemedies.find(code);
  if (place != kRemedies.end()) return place->second;
  return is_signed ? "these keys need s3:ListBucket and s3:GetObject for it; for a public bucket, set "
                     "AWS_NO_SIGN_REQUEST=YES"
                   : "it is not public: unset AWS_NO_SIGN_REQUEST, and give keys";
}

class PageReader {
 public:
  static void XMLCALL begin(void* data, const XML_Char* name, const XML_Char** /*attributes*/) {
    auto& self = *static_cast<PageReader*>(data);
    self.text_.clear();
    if (self.depth_++ == 0) self.root_ = name;
    if (std::string_view(name) == "Contents") self.page.objects.emplace_back();
  }

  static void XMLCALL characters(void* data, const XML_Char* text, int size) {
    static_cast<PageReader*>(data)->text_.append(text, static_cast<std::size_t>(size));
  }

  static void XMLCALL end(void* data, const XML_Char* name) {
    auto& self = *static_cast<PageReader*>(data);
    self.take(name);
    self.text_.clear();
    --self.depth_;
  }

  bool is_known() const { return root_ == "ListBucketResult" || root_ == "Error"; }

  S3Page page;

 private:
  void take(std::string_view name) {
    if (depth_ == 3 && !page.objects.empty()) {
      CatalogueFile& object = page.objects.back();
      if (name == "Key") object.name = text_;
      if (name == "Size") object.facts.size_bytes = number_in<std::uint64_t>(text_).value_or(0);
    }
    if (depth_ != 2) return;
    if (name == "NextContinuationToken") page.next = text_;
    if (name == "Code") page.code = text_;
  }

  std::string root_;
  std::string text_;
  int depth_ = 0;
};

class Bucket {
 public:
  Bucket(const FetchJob& job, const Address& address) : job_(job), address_(address), user_(find_s3_user(job)) {
    if (user_.region.empty()) user_.region = "us-east-1";
    user_.origin = bucket_url(address_.place, user_.region);
  }

  RemoteFiles list() {
    RemoteFiles found;
    std::string token;
    for (int count = 0; count < kMostListings; ++count) {
      S3Page page = get(address_.plain_path(), token);
      for (CatalogueFile& object : page.objects) {
        if (object.name.ends_with('/') && object.facts.size_bytes == 0) continue;  // what stands for a folder
        object.mirrors = {{user_.origin + url_encoded(object.name, true)}};
        found.files.push_back(std::move(object));
      }
      token = page.next;
      if (token.empty()) {
        found.origin = user_.origin;
        found.region = user_.region;
        return found;
      }
    }
    throw FormatError("lists objects without end", address_.text, "name a folder of it");
  }

 private:
  S3Page get(const std::string& prefix, const std::string& token) {
    // In the order of their names, as the signature needs them.
    const std::string url = user_.origin + "?" +
                            (token.empty() ? "" : "continuation-token=" + url_encoded(token) + "&") +
                            "list-type=2&prefix=" + url_encoded(prefix);
    Pages pages(job_.options, job_.policy, job_.progress);
    pages.set_credentials(std::make_shared<const HttpCredentials>(user_));
    if (const auto xml = pages.get({url})) {
      S3Page page = parse_s3_page(*xml, address_.text);
      if (page.code.empty()) return page;
      throw IoError("S3 does not give it: " + page.code, address_.text, remedy(page.code, is_signed()));
    }
    const HttpReply& reply = pages.reply();
    const bool is_elsewhere = !reply.bucket_region.empty() && reply.bucket_region != user_.region;
    if (is_elsewhere && !has_moved_ && given_endpoint().empty()) {
      has_moved_ = true;
      user_.region = reply.bucket_region;
      user_.origin = bucket_url(address_.place, user_.region);
      return get(prefix, token);
    }
    if (reply.status < 300 || reply.status >= 500 || reply.status == 429) {
      throw IoError::of_servers("can't be listed: " + in_one_line(pages.failed()), address_.text,
                                "try again later, or check AWS_ENDPOINT_URL", bertprep::may_recover(pages.failed()));
    }
    std::string code;
    if (!pages.refusal().empty()) code = parse_s3_page(pages.refusal(), address_.text).code;
    const std::string what = "S3 does not give it: " + status_text(reply.status) + (code.empty() ? "" : " " + code);
    throw IoError(what, address_.text,
                  is_elsewhere ? "it is in the region " + reply.bucket_region + ": set AWS_REGION to that"
                               : remedy(code, is_signed()));
  }

  bool is_signed() const { return !user_.access_key.empty(); }

  const FetchJob& job_;
  const Address& address_;
  HttpCredentials user_;
  bool has_moved_ = false;
};

}  // namespace

S3Page parse_s3_page(std::string_view xml, const std::string& where) {
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(XML_ParserCreate(nullptr), &XML_ParserFree);
  if (!parser) throw std::bad_alloc();
  PageReader reader;
  XML_SetUserData(parser.get(), &reader);
  XML_SetElementHandler(parser.get(), &PageReader::begin, &PageReader::end);
  XML_SetCharacterDataHandler(parser.get(), &PageReader::characters);
  const bool is_xml = XML_Parse(parser.get(), xml.data(), static_cast<int>(xml.size()), XML_TRUE) == XML_STATUS_OK;
  if (!is_xml || !reader.is_known()) {
    throw FormatError("answers with something else than S3 does", where,
                      "check the address, and AWS_ENDPOINT_URL if it is set");
  }
  return reader.page;
}

Credentials s3_credentials(const FetchJob& job, const std::string& origin, const std::string& region) {
  HttpCredentials user = find_s3_user(job);
  user.origin = origin;
  user.region = region;
  return std::make_shared<const HttpCredentials>(std::move(user));
}

RemoteFiles list_s3(const FetchJob& job, const Address& address) {
  RemoteFiles found = Bucket(job, address).list();
  const bool is_start = !found.files.empty();
  std::erase_if(found.files, [&](const CatalogueFile& file) { return !takes(address, file.name); });
  if (found.files.empty() && is_start) {
    throw IoError("there is no such object, and none below it; the names of others begin so", address.text,
                  "for those, give " + address.text + "*");
  }
  return found;
}

}  // namespace bertprep
