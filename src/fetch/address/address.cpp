#include "fetch/address/address.h"

#include <algorithm>

#include "io/file_system.h"
#include "io/process.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

constexpr std::string_view kHub = "hf://";
constexpr std::string_view kS3 = "s3://";
constexpr std::string_view kPatternSigns = "*?[";

// The text up to the first `sign`, which `rest` then begins behind.
std::string take_until(std::string_view& rest, char sign) {
  const std::size_t end = std::min(rest.find(sign), rest.size());
  const std::string part(rest.substr(0, end));
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

// refs/convert/parquet and refs/pr/3 are revisions with slashes.
std::string take_revision(std::string_view& rest) {
  std::string revision = take_until(rest, '/');
  if (revision == "refs") {
    for (int i = 0; i < 2; ++i) revision += "/" + take_until(rest, '/');
  }
  return url_decoded(revision);
}

[[noreturn]] void refuse(const std::string& text, const std::string& form) {
  throw ConfigError("'" + text + "' is not an address of this form", {}, "write " + form);
}

Address parse_hub(const std::string& text) {
  const std::string form = "hf://datasets/ORG/NAME, with @REVISION and a /PATH if need be";
  std::string_view rest = std::string_view(text).substr(kHub.size());
  if (take_until(rest, '/') != "datasets") refuse(text, form);
  Address address{AddressKind::kHub, text, take_until(rest, '/')};
  const std::size_t end = rest.find_first_of("/@");
  std::string name(rest.substr(0, end));
  const bool has_revision = end != std::string_view::npos && rest[end] == '@';
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (address.place.empty() || name.empty()) refuse(text, form);
  address.place += "/" + name;
  if (has_revision) address.revision = take_revision(rest);
  if (has_revision && address.revision.empty()) refuse(text, form);
  address.path = without_slashes_at_end(std::string(rest));
  return address;
}

Address parse_s3(const std::string& text) {
  std::string_view rest = std::string_view(text).substr(kS3.size());
  Address address{AddressKind::kS3, text, take_until(rest, '/')};
  const bool is_name = std::ranges::all_of(
      address.place, [](char c) { return is_ascii_alphanumeric(c) || c == '-' || c == '.' || c == '_'; });
  if (address.place.empty() || !is_name) refuse(text, "s3://BUCKET/KEY");
  address.path = std::string(rest);
  return address;
}

Address parse_web(const std::string& given) {
  const std::string text = given.substr(0, given.find_first_of("?#"));
  Address address{AddressKind::kWeb, text, text};
  const std::size_t host = text.find("://") + 3;
  const std::size_t path = text.find('/', host);
  if (text.substr(host, path - host).find('@') != std::string::npos) {
    throw ConfigError("an address with a user's name in it is not taken", {},
                      "the server's files must be readable without one, or by a signed address");
  }
  if (path == std::string::npos || text.ends_with('/')) refuse(text, "https://HOST/PATH/FILE: it names one file");
  address.path = url_decoded(text.substr(text.rfind('/') + 1));
  if (given.size() > text.size() && given[text.size()] == '?') {
    address.query = given.substr(text.size() + 1, given.find('#') - text.size() - 1);
  }
  return address;
}

}  // namespace

bool is_address(const std::filesystem::path& input) {
  const std::string& text = input.native();
  if (is_input_name(text)) return true;
  return text.starts_with("https://") || text.starts_with("http://") || text.starts_with(kHub) || text.starts_with(kS3);
}

void check_address(const std::filesystem::path& address, const FetchOptions& options) {
  parse_input(address.native(), options);
}

std::string shown_address(const std::filesystem::path& address) {
  if (is_input_name(address.native())) return address.native();
  const Address parsed = parse_address(address.native());
  return parsed.query.empty() ? parsed.text
                              : parsed.text + "?" + digest_of(DigestKind::kSha256, parsed.query).substr(0, 8);
}

bool Address::is_pattern() const {
  return kind != AddressKind::kWeb && path.find_first_of(kPatternSigns) != std::string::npos;
}

std::string Address::pinned(const std::string& commit) const {
  if (kind != AddressKind::kHub) return text;
  return std::string(kHub) + "datasets/" + place + "@" + commit + (path.empty() ? "" : "/" + path);
}

std::string Address::plain_path() const {
  return is_pattern() ? path.substr(0, path.find_first_of(kPatternSigns)) : path;
}

Address parse_address(const std::string& text) {
  if (text.starts_with(kHub)) return parse_hub(text);
  return text.starts_with(kS3) ? parse_s3(text) : parse_web(text);
}

Address parse_input(const std::string& text, const FetchOptions& options) {
  return parse_address(is_input_name(text) ? address_of_input(text, options) : text);
}

std::string without_slashes_at_end(std::string text) {
  while (text.ends_with('/')) text.pop_back();
  return text;
}

std::string first_variable(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (std::string url = without_slashes_at_end(environment_variable(name)); !url.empty()) return url;
  }
  return {};
}

bool takes(const Address& address, const std::string& path) {
  if (address.is_pattern()) return matches_pattern(path, address.path);
  if (address.path.empty() || path == address.path) return true;
  return path.starts_with(address.path.ends_with('/') ? address.path : address.path + "/");
}

}  // namespace bertprep
