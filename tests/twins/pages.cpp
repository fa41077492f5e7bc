#include "twins/pages.h"

#include <optional>
#include <regex>

namespace bertprep::test {
namespace {

std::vector<std::string> lines_of(std::string_view dump) {
  std::vector<std::string> lines{""};
  for (std::size_t i = 0; i < dump.size(); ++i) {
    const bool is_cr = dump[i] == '\r';
    if (is_cr && i + 1 < dump.size() && dump[i + 1] == '\n') ++i;
    lines.back() += is_cr ? '\n' : dump[i];
    if (lines.back().back() == '\n') lines.emplace_back();
  }
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

struct Tag {
  std::string name, before, inside, value;
  bool is_closed;
};

std::optional<Tag> tag_of(const std::string& line) {
  static const std::regex kTag("<(/?[A-Za-z0-9_\\x80-\\xFF]+)([^>]*)>");
  std::smatch found;
  if (!std::regex_search(line, found, kTag)) return std::nullopt;
  const std::string rest = found.suffix();
  const std::size_t next = rest.find('<');
  return Tag{found[1], found.prefix(), found[2], rest.substr(0, next),
             next != std::string::npos && rest.find('>', next) != std::string::npos};
}

}  // namespace

std::vector<PlainPage> plain_pages(std::string_view dump) {
  std::vector<PlainPage> pages;
  bool in_head = true, in_text = false, redirect = false;
  std::optional<std::string> id, last_id;
  std::string title, text, ns = "0";
  for (const std::string& line : lines_of(dump)) {
    const auto tag = line.find('<') == std::string::npos ? std::nullopt : tag_of(line);
    if (in_head) {
      if (tag && tag->name == "/siteinfo") in_head = false;
      continue;
    }
    if (line.find('<') == std::string::npos) {
      if (in_text) text += line;
      continue;
    }
    if (!tag) continue;
    if (tag->name == "page") {
      text.clear();
      redirect = false;
    } else if (tag->name == "id") {
      if (!id) id = tag->value;
    } else if (tag->name == "title") {
      title = tag->value;
    } else if (tag->name == "ns") {
      ns = tag->value;
    } else if (tag->name == "redirect") {
      redirect = true;
    } else if (tag->name == "text") {
      if (!tag->is_closed && tag->inside.ends_with('/')) continue;
      text += tag->value;
      in_text = !tag->is_closed;
    } else if (tag->name == "/text") {
      text += tag->before;
      in_text = false;
    } else if (tag->name == "/page") {
      if (id != last_id && !redirect) {
        pages.push_back({id.value_or("None"), title, ns, text});
        last_id = id;
        ns = "0";
      }
      id.reset();
      title.clear();
      text.clear();
    } else if (in_text) {
      text += line;
    }
  }
  return pages;
}

}  // namespace bertprep::test
