#include "twins/dump.h"

#include <array>
#include <cctype>
#include <cstdio>
#include <memory>
#include <regex>
#include <stdexcept>

#include "support/golden_data.h"

namespace bertprep::test {
namespace {

struct FirstTag {
  std::string name;    // with its /, empty if the line has no tag
  std::string before;  // the text before it
  std::string value;   // the text after it, up to the next <
  bool is_closed = false;
  bool is_empty = false;  // <tag ... />
};

// The leftmost <name ...> or </name ...> of a line.
FirstTag first_tag(const std::string& line) {
  for (std::size_t begin = line.find('<'); begin != line.npos; begin = line.find('<', begin + 1)) {
    const std::size_t word = begin + 1 + (line.compare(begin + 1, 1, "/") == 0 ? 1 : 0);
    std::size_t end = word;
    while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) != 0 || line[end] == '_')) ++end;
    const std::size_t close = line.find('>', end);
    if (end == word || close == line.npos) continue;
    const std::size_t next = line.find('<', close);
    FirstTag tag{line.substr(begin + 1, end - begin - 1), line.substr(0, begin),
                 line.substr(close + 1, next == line.npos ? next : next - close - 1)};
    tag.is_closed = next != line.npos && line.find('>', next) != line.npos;
    tag.is_empty = line[close - 1] == '/';
    return tag;
  }
  return {};
}

std::vector<std::string> lines_with_feeds(const std::string& xml) {
  std::vector<std::string> lines(1);
  for (std::size_t i = 0; i < xml.size(); ++i) {
    const bool is_return = xml[i] == '\r';
    if (is_return && xml.compare(i + 1, 1, "\n") == 0) continue;
    lines.back() += is_return ? '\n' : xml[i];
    if (lines.back().back() == '\n') lines.emplace_back();
  }
  return lines;
}

class Reader {
 public:
  PlainDump dump;

  void take(const std::string& line) {
    const FirstTag tag = first_tag(line);
    if (tag.name.empty() && line.find('<') != line.npos) return;
    if (in_site_) {
      take_site(tag, line);
    } else if (tag.name == "page") {
      page_.text.clear();
      is_redirect_ = false;
    } else if (tag.name == "id") {
      (page_.id.empty() ? page_.id : page_.revision_id) = tag.value;
    } else if (tag.name == "title") {
      page_.title = tag.value;
    } else if (tag.name == "ns") {
      space_ = tag.value;
    } else if (tag.name == "redirect") {
      is_redirect_ = true;
    } else if (tag.name == "text") {
      if (!tag.is_closed && tag.is_empty) return;
      page_.text += tag.value;
      in_text_ = !tag.is_closed;
    } else if (tag.name == "/text") {
      page_.text += tag.before;
      in_text_ = false;
    } else if (in_text_) {
      page_.text += line;
    } else if (tag.name == "/page") {
      end_page();
    }
  }

 private:
  void take_site(const FirstTag& tag, const std::string& line) {
    if (tag.name == "/siteinfo") in_site_ = false;
    if (tag.name == "base") dump.site.url_base = tag.value.substr(0, tag.value.rfind('/'));
    if (tag.name != "namespace") return;
    std::smatch key;
    std::regex_search(line, key, std::regex("key=\"([0-9]*)\""));
    dump.site.namespaces[tag.value] = key.empty() ? "" : key[1].str();
    if (!key.empty() && key[1] == "10") dump.site.template_namespace = tag.value;
  }

  void end_page() {
    if (page_.id.empty()) page_.id = "None";
    if (page_.id != last_id_ && !is_redirect_) {
      if (space_ == "0") dump.pages.push_back(page_);
      if (space_ == "10" || space_ == "828") dump.templates.emplace_back(space_, page_);
      last_id_ = page_.id;
      space_ = "0";
    }
    page_ = {};
  }

  WikiPage page_;
  std::string space_ = "0", last_id_;
  bool in_site_ = true, in_text_ = false, is_redirect_ = false;
};

}  // namespace

PlainDump read_plain_dump(const std::string& xml) {
  Reader reader;
  reader.dump.site.namespaces["Template"] = "10";
  for (const std::string& line : lines_with_feeds(xml)) reader.take(line);
  return reader.dump;
}

std::string read_maybe_xz(const std::filesystem::path& file) {
  if (std::filesystem::exists(file)) return read_bytes(file);
  const std::string command = "xz -dc '" + file.string() + ".xz'";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string bytes;
  std::array<char, 65536> block;
  while (const std::size_t read = std::fread(block.data(), 1, block.size(), pipe.get())) {
    bytes.append(block.data(), read);
  }
  if (bytes.empty()) throw std::runtime_error("nothing comes out of " + command);
  return bytes;
}

}  // namespace bertprep::test
