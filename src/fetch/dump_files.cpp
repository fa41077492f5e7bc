#include "fetch/dump_files.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <tuple>

#include "bertprep/base/error.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

// The text between `before` and `after`, if `name` consists of the three.
std::optional<std::string_view> between(std::string_view name, std::string_view before, std::string_view after) {
  if (name.size() < before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after)) {
    return std::nullopt;
  }
  return name.substr(before.size(), name.size() - before.size() - after.size());
}

bool take_number(std::string_view& text, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

struct Part {
  std::uint64_t number = 0;
  std::uint64_t first_page = 0;
  std::uint64_t last_page = 0;
  std::uint64_t first_revision = 0;  // of a part of one page; else 0
  std::uint64_t last_revision = 0;
  const CatalogueFile* file = nullptr;
};

// "3.xml-p151574p311329" with `marker` ".xml-"; "p1p41242" and "p41243r5r90" with marker "" have no number.
std::optional<Part> parse_part(std::string_view text, std::string_view marker) {
  Part part;
  if (!marker.empty() && (!take_number(text, part.number) || !take(text, marker))) return std::nullopt;
  if (!take(text, "p") || !take_number(text, part.first_page)) return std::nullopt;
  if (marker.empty() && take(text, "r")) {
    part.last_page = part.first_page;
    if (!take_number(text, part.first_revision) || !take(text, "r") || !take_number(text, part.last_revision)) {
      return std::nullopt;
    }
  } else if (!take(text, "p") || !take_number(text, part.last_page)) {
    return std::nullopt;
  }
  if (!text.empty() || part.last_page < part.first_page || part.last_revision < part.first_revision) {
    return std::nullopt;
  }
  return part;
}

const CatalogueFile* find(const ListedFiles& files, const std::string& name) {
  const auto place = std::ranges::find(files, name, &CatalogueFile::name);
  return place == files.end() ? nullptr : &*place;
}

std::vector<Part> parts_of(const ListedFiles& files, const std::string& before, const std::string& marker,
                           const std::string& after) {
  std::vector<Part> parts;
  for (const CatalogueFile& file : files) {
    const auto middle = between(file.name, before, after);
    auto part = middle ? parse_part(*middle, marker) : std::nullopt;
    if (!part) continue;
    part->file = &file;
    parts.push_back(*part);
  }
  std::ranges::sort(parts, {},
                    [](const Part& part) { return std::tuple(part.first_page, part.first_revision, part.last_page); });
  return parts;
}

// Whether `part` begins where the one before it ends. Revisions of a page have gaps of their own.
bool follows(const Part& before, const Part& part) {
  const bool is_of_same_page =
      part.first_revision != 0 && before.first_revision != 0 && part.first_page == before.first_page;
  if (is_of_same_page) return part.first_revision > before.last_revision;
  return part.first_page == before.last_page + 1;
}

// Parts overlap or have gaps if a list is damaged or still being made.
bool are_whole(const std::vector<Part>& parts) {
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (!follows(parts[i - 1], parts[i]) || parts[i].number - parts[i - 1].number > 1) return false;
  }
  return !parts.empty() && parts.front().number == 1;
}

// Of content file exports, whose names have no numbers. A server lists them when all exist.
void check_exports(const ListedFiles& files, const std::vector<Part>& parts, const std::string& before,
                   const std::string& after) {
  for (const CatalogueFile& file : files) {
    const bool is_known = std::ranges::any_of(parts, [&](const Part& part) { return part.file == &file; });
    const auto range = between(file.name, before, after);
    if (!range || !is_ascii_digit(range->empty() ? 'x' : range->front()) || is_known) continue;
    throw FormatError("the name of this part of the dump is not understood, so that its pages would be missing",
                      file.name, "download the files yourself and give their folder with `from_file`");
  }
  if (!parts.empty() && parts.front().first_page > 1) {
    throw FormatError("the dump has no part before this one, whose first page is not 1", parts.front().file->name,
                      "choose another dump with `dump_date`");
  }
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (follows(parts[i - 1], parts[i])) continue;
    throw FormatError("does not begin where " + parts[i - 1].file->name +
                          " ends: a part of the dump is missing from the list, or listed twice",
                      parts[i].file->name, "choose another dump with `dump_date`");
  }
}

std::vector<CatalogueFile> files_of(const std::vector<Part>& parts) {
  std::vector<CatalogueFile> files;
  for (const Part& part : parts) files.push_back(*part.file);
  return files;
}

bool is_hex(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

void add_sum(std::string_view hex, std::string name, ListedFiles& files) {
  auto place = std::ranges::find(files, name, &CatalogueFile::name);
  if (place == files.end()) {
    files.push_back({});
    place = files.end() - 1;
    place->name = std::move(name);
  }
  for (const DigestKind kind : {DigestKind::kSha256, DigestKind::kSha1, DigestKind::kMd5}) {
    if (hex.size() == digest_hex_characters(kind)) place->facts.set_digest(kind, std::string(hex));
  }
}

}  // namespace

ChosenFiles choose_files(const ListedFiles& listed, const std::string& wiki, const std::string& date) {
  const std::string stem = wiki + "-" + date + "-pages-articles";
  ChosenFiles chosen;
  if (const CatalogueFile* file = find(listed, stem + "-multistream.xml.bz2")) {
    chosen.articles.push_back(*file);
    if (const CatalogueFile* index = find(listed, stem + "-multistream-index.txt.bz2")) {
      chosen.indexes.push_back(*index);
    }
    return chosen;
  }
  if (const auto parts = parts_of(listed, stem + "-multistream", ".xml-", ".bz2"); are_whole(parts)) {
    chosen.articles = files_of(parts);
    chosen.indexes = files_of(parts_of(listed, stem + "-multistream-index", ".txt-", ".bz2"));
    return chosen;
  }
  if (const CatalogueFile* file = find(listed, stem + ".xml.bz2")) {
    chosen.articles.push_back(*file);
    return chosen;
  }
  if (const auto parts = parts_of(listed, stem, ".xml-", ".bz2"); are_whole(parts)) {
    chosen.articles = files_of(parts);
    return chosen;
  }
  const std::string before = wiki + "-" + date + "-p";
  const auto parts = parts_of(listed, wiki + "-" + date + "-", "", ".xml.bz2");
  check_exports(listed, parts, before, ".xml.bz2");
  chosen.articles = files_of(parts);
  return chosen;
}

void add_sums(const std::string& text, ListedFiles& files) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line(text.data() + begin, end - begin);
    begin = end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos || !is_hex(line.substr(0, blank))) continue;
    const std::size_t name = line.find_first_not_of(" *", blank);
    if (name == std::string_view::npos) continue;
    const std::string_view path = line.substr(name);
    add_sum(line.substr(0, blank), std::string(path.substr(path.rfind('/') + 1)), files);
  }
}

bool is_dump_date(std::string_view name) {
  return name.size() == 8 && is_ascii_digits(name);
}

std::vector<std::string> linked_names(const std::string& html) {
  std::vector<std::string> names;
  for (std::size_t at = html.find("href="); at != std::string::npos; at = html.find("href=", at)) {
    at += 5;
    const char quote = at < html.size() ? html[at] : '\0';
    if (quote != '"' && quote != '\'') continue;
    const std::size_t end = html.find(quote, at + 1);
    if (end == std::string::npos) break;
    std::string link = html.substr(at + 1, end - at - 1);
    link = link.substr(0, link.find_first_of("?#"));
    while (link.ends_with('/')) link.pop_back();
    link = link.substr(link.rfind('/') + 1);
    if (!link.empty() && std::ranges::find(names, link) == names.end()) names.push_back(link);
    at = end;
  }
  return names;
}

}  // namespace bertprep
