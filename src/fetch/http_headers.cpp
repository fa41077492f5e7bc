#include "fetch/http_headers.h"

#include <charconv>

namespace bertprep {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::string_view(" \t\r\n").find(text.front()) != std::string_view::npos) {
    text.remove_prefix(1);
  }
  while (!text.empty() && std::string_view(" \t\r\n").find(text.back()) != std::string_view::npos) {
    text.remove_suffix(1);
  }
  return text;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return result;
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "bytes 100-199/200", "bytes */200", "bytes 100-199/*".
void add_content_range(std::string_view value, HttpReply& reply) {
  if (!lower(value.substr(0, 5)).starts_with("bytes")) return;
  value = trimmed(value.substr(5));
  const std::size_t slash = value.find('/');
  if (slash == std::string_view::npos) return;
  reply.range_total = number(value.substr(slash + 1));
  reply.range_first = number(value.substr(0, std::min(value.find('-'), slash)));
}

}  // namespace

void add_header_line(std::string_view line, HttpReply& reply) {
  if (lower(line.substr(0, 5)) == "http/") {
    reply = HttpReply{};
    const std::size_t blank = line.find(' ');
    if (blank != std::string_view::npos) reply.status = static_cast<int>(number(line.substr(blank + 1, 3)).value_or(0));
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string name = lower(trimmed(line.substr(0, colon)));
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (name == "content-length") reply.length = number(value);
  if (name == "content-range") add_content_range(value, reply);
  if (name == "etag") reply.etag = value;
  if (name == "last-modified") reply.last_modified = value;
}

}  // namespace bertprep
