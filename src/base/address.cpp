#include "base/address.h"

#include <algorithm>
#include <array>
#include <utility>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr std::string_view kMark = "://";
constexpr std::string_view kSchemeSigns = "abcdefghijklmnopqrstuvwxyz0123456789+-.";
constexpr std::size_t kLetters = 26;  // of these, with one of which a scheme begins
constexpr std::string_view kAzure = "'azcopy copy'";
constexpr std::string_view kCurl = "'curl -LO'";
constexpr std::string_view kGoogle = "'gsutil -m rsync -r'";
constexpr std::string_view kHadoop = "'hdfs dfs -get' and 'hdfs dfs -put'";
constexpr std::string_view kHub = "'huggingface-cli download' and 'huggingface-cli upload'";
constexpr std::string_view kRsync = "'rsync -a'";
constexpr std::string_view kS3 = "'aws s3 sync'";

// What copies files from or to such an address.
constexpr std::array<std::pair<std::string_view, std::string_view>, 22> kCopiers = {{
    {"abfs", kAzure},     {"abfss", kAzure},     {"adl", kAzure},     {"az", kAzure},   {"ftp", kCurl},
    {"ftps", kCurl},      {"gs", kGoogle},       {"hdfs", kHadoop},   {"hf", kHub},     {"http", kCurl},
    {"https", kCurl},     {"rsync", kRsync},     {"s3", kS3},         {"s3a", kS3},     {"s3n", kS3},
    {"sftp", kRsync},     {"ssh", kRsync},       {"viewfs", kHadoop}, {"wasb", kAzure}, {"wasbs", kAzure},
    {"webhdfs", kHadoop}, {"swebhdfs", kHadoop},
}};

// The scheme in small letters; empty for text that is no address.
std::string scheme_of(std::string_view path) {
  const std::size_t end = path.find(kMark);
  if (end == std::string_view::npos || end == 0) return {};
  std::string scheme(path.substr(0, end));
  for (char& c : scheme) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  const bool is_scheme =
      kSchemeSigns.find(scheme.front()) < kLetters && scheme.find_first_not_of(kSchemeSigns) == std::string::npos;
  return is_scheme ? scheme : std::string();
}

std::string remedy(std::string_view scheme) {
  if (scheme == "file") return "give the path without 'file://'";
  const auto* const copier = std::ranges::find(kCopiers, scheme, &decltype(kCopiers)::value_type::first);
  const std::string program = copier == kCopiers.end() ? "that storage's own program" : std::string(copier->second);
  return "give a path, and copy the files with " + program + ", or mount that storage";
}

}  // namespace

std::string fault_of_address(std::string_view path) {
  const std::string scheme = scheme_of(path);
  if (scheme.empty()) return {};
  return "'" + std::string(path) + "' is an address, and only files of this machine are read and written; " +
         remedy(scheme);
}

void refuse_address(std::string_view path, std::string_view source) {
  const std::string fault = fault_of_address(path);
  if (!fault.empty()) throw ConfigError(fault, std::string(source));
}

bool is_unit_of_path(std::string_view unit) {
  return unit == "dir" || unit == "file" || unit == "files" || unit == "folder" || unit == "path" || unit == "vocab";
}

}  // namespace bertprep
